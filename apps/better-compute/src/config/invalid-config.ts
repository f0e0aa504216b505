import { ApiError } from '@kit/operation';

/** Thrown while starting: names the file and the setting, and says what to do (product.md §5). */
export const invalidConfig = (message: string, details: { file?: string; path?: string } = {}): ApiError =>
  new ApiError('INVALID_CONFIG', 0, `${details.file ? `${details.file}: ` : ''}${details.path ? `${details.path}: ` : ''}${message}`, { details });
