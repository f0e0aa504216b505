/**
 * What the client throws: `code` and `status` as on the wire, or a local code (iam.md §8.4): `INVALID_CONFIG`, `INVALID_TOKEN`, `INVALID_PATH`,
 * `INVALID_RESPONSE`, `HTTP_ERROR`, `UNAVAILABLE`. Tell errors apart by `code` and `status`, never by class.
 */
export { ClientError as IamClientError } from '@kit/operation';
