import { type AlphaParameters, alphaParameters } from './parameters/alphaParameters.ts';
import { type EventParameters, eventParameters } from './parameters/eventParameters.ts';
import { type PerpsParameters, perpsParameters } from './parameters/perpsParameters.ts';
import { record, registryReader, text } from './parameters/registryReader.ts';
import { type ResolutionParameters, resolutionParameters } from './parameters/resolutionParameters.ts';
import { type StressParameters, stressParameters } from './parameters/stressParameters.ts';

/** The parts of the method with a version of their own; each also belongs to the parameter version. */
type PartVersions = Readonly<Record<'alpha' | 'tower' | 'fieldMap' | 'perps' | 'volatility', string>>;

/** Every threshold the calculators use, `params-1.1` (M13.1); values come from `data/registry/parameters.json`. */
export type Parameters = {
  readonly version: string;
  readonly coreModel: string;
  readonly classificationVersion: string;
  readonly versions: PartVersions;
} & ResolutionParameters &
  StressParameters &
  AlphaParameters &
  EventParameters &
  PerpsParameters;

/**
 * Reads the parameter registry into {@link Parameters} (M13.1).
 *
 * @throws IssuerError `validation_failed` naming the first entry that is missing, has another type or lacks
 * its rule or source.
 */
export function parseParameters(json: unknown): Parameters {
  const file = record(json, 'the file');
  const reader = registryReader(record(file['parameters'], 'parameters'));
  return {
    version: text(file['version'], 'version'),
    coreModel: text(file['core_model'], 'core_model'),
    classificationVersion: text(file['classification_version'], 'classification_version'),
    versions: partVersions(file['versions']),
    ...resolutionParameters(reader),
    ...stressParameters(reader),
    ...alphaParameters(reader),
    ...eventParameters(reader),
    ...perpsParameters(reader),
  };
}

function partVersions(value: unknown): PartVersions {
  const versions = record(value, 'versions');
  const version = (part: string) => text(versions[part], `versions.${part}`);
  return {
    alpha: version('alpha'),
    tower: version('tower'),
    fieldMap: version('field_map'),
    perps: version('perps'),
    volatility: version('volatility'),
  };
}
