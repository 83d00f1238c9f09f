/** How anybody checks an answer against the signed release, with no tool of ours (I4.24, I9.16). */
export const verificationSteps: readonly string[] = [
  'Decode the content coding, keep the first X-Payload-Length bytes of the body and add one closing brace: that is the payload. Its SHA-256 in hex is response_metadata.payload_sha256.',
  'GET /.well-known/artifact-manifest.json?version=<response_metadata.source_date> lists response_metadata.artifact_key with its sha256, which is response_metadata.artifact_sha256; where cache_hit is true it is payload_sha256 as well, unless members are filled in at serve time.',
  'The manifest is signed: take signature out, write the rest in the canonical form of /v1/contract/fields?route=getArtifactManifest (integrity), and check signature.value with Ed25519 and the public_key stated there.',
  'A company report is checked by its parts: each leg without reserved members has the payload_sha256 of its row of data.legs; the payload without data.request, each leg cut to its reserved members, has the hash artifact_sha256.',
];
