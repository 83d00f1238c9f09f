import type { ArtifactManifest } from './releaseFiles.ts';

const sha = '0f3c4a5d6e7b8c9d'.repeat(4);

/** A manifest cut to one artifact, as the API description shows it; its signature is none. */
export const manifestExample: ArtifactManifest = {
  schema_id: 'artifact_manifest.v1',
  version: '2026-02-07.1',
  generated_at: '2026-02-07T07:12:40Z',
  source_date: '2026-02-07',
  slice_status: 'complete',
  artifact_count: 1,
  artifacts: [
    {
      key: 'covenant/2026-02-07/CIK0001050446.json',
      version: '2026-02-07+0f3c4a5d6e7b',
      sha256: sha,
      bytes: 3120,
      media_type: 'application/json',
      source_date: '2026-02-07',
    },
  ],
  previous_manifest_sha256: null,
  inputs: { parameters: 'params-1.2', slice: 'full' },
  signature: {
    alg: 'Ed25519',
    key_id: 'ed25519-21fe31dfa154a261',
    public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    value: `${'A'.repeat(86)}==`,
  },
};
