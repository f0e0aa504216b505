import pg from 'pg';

/** A parameter as the driver can always bind it: objects as JSON text, dates as ISO text, arrays kept (they become PostgreSQL arrays). */
export function encode(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(`a ${typeof value} cannot be a parameter`);
}

function integer(text: string): number {
  const n = Number(text);
  if (!Number.isSafeInteger(n)) throw new RangeError('an int8 beyond 2^53 came from the database: select it as text');
  return n;
}

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, integer],
  [pg.types.builtins.NUMERIC, Number],
  // the driver would make a Date at local midnight of it
  [pg.types.builtins.DATE, (text) => text],
]);

export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};
