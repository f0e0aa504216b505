import { IamError, type IamErrorCode, type IamErrorOptions } from '@better-iam/core';

export const refuse = (code: IamErrorCode, message: string, options: IamErrorOptions = {}): IamError => new IamError(code, message, options);

/** One text for every credential that is no good: which check failed is nobody's business but the log's. */
export const unauthenticated = (): IamError => refuse('UNAUTHENTICATED', 'the credential is missing, expired or no longer valid');
/** One text for what does not exist and what the caller may not see (iam.md §7). */
export const notFound = (): IamError => refuse('NOT_FOUND', 'there is no such record, or you may not see it');
export const accessDenied = (): IamError => refuse('ACCESS_DENIED', 'this is not allowed');
