import { type AlphaParameters, alphaParameters } from './alphaParameters.ts';
import { type ConceptHierarchy, conceptHierarchy } from './conceptHierarchy.ts';
import { type EventParameters, eventParameters } from './eventParameters.ts';
import { type PerpsParameters, perpsParameters } from './perpsParameters.ts';
import { record, registryReader, text } from './registryReader.ts';
import { type ResolutionParameters, resolutionParameters } from './resolutionParameters.ts';
import { type StressParameters, stressParameters } from './stressParameters.ts';

/** The parts of the method with a version of their own; each also belongs to the parameter version. */
type PartVersions = Readonly<Record<'alpha' | 'tower' | 'fieldMap' | 'perps' | 'volatility', string>>;

/** Every threshold the calculators use (M13.1); values come from `data/registry/parameters.json`. */
export type Parameters = {
  readonly version: string;
  readonly coreModel: string;
  readonly classificationVersion: string;
  readonly versions: PartVersions;
  readonly hierarchy: ConceptHierarchy;
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
    hierarchy: conceptHierarchy(file['concept_hierarchy']),
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
