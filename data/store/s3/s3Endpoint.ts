import { IssuerError } from '../../contract/errors/issuerError.ts';

/** Where requests for a bucket go. */
export type S3Endpoint = {
  /** Address of the bucket, without a slash at its end. */
  readonly url: string;
  readonly region: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address of a bucket: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` with the bucket in the path, or AWS itself by
 * `AWS_REGION`.
 *
 * @throws IssuerError `configuration`
 */
export function s3Endpoint({
  bucket,
  environment,
}: {
  bucket: string;
  environment: Environment;
}): S3Endpoint {
  const region = filled(environment, 'AWS_REGION') ?? filled(environment, 'AWS_DEFAULT_REGION');
  const name =
    filled(environment, 'AWS_ENDPOINT_URL_S3') === null ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_S3';
  const given = filled(environment, name);
  if (region !== null && !/^[a-z0-9-]{1,40}$/.test(region)) {
    throw refused(
      'AWS_REGION is no name of a region.',
      'Set it as your provider writes it, as in us-east-1.',
    );
  }
  if (given !== null) {
    return { url: `${plainUrl(name, given)}/${bucket}`, region: region ?? 'us-east-1' };
  }
  if (region === null) {
    throw refused(
      'Neither AWS_REGION nor AWS_ENDPOINT_URL is set, so it is not known where the bucket is.',
      'Set AWS_REGION to the region of the bucket, or AWS_ENDPOINT_URL to the address of another provider.',
    );
  }
  // a name with dots fits no certificate of AWS, so it stands in the path
  return bucket.includes('.')
    ? { url: `https://s3.${region}.amazonaws.com/${bucket}`, region }
    : { url: `https://${bucket}.s3.${region}.amazonaws.com`, region };
}

function plainUrl(name: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw refused(
      `${name} is no address of a server.`,
      'Give scheme, host and port alone, as in https://objects.example.com:9000.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function filled(environment: Environment, name: string): string | null {
  const value = environment[name]?.trim() ?? '';
  return value === '' ? null : value;
}

function refused(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'configuration', message, hint });
}
