type Compact<T> = { [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>;
};

/** A row as its record: columns that are null are members that are absent. */
export function compact<T extends object>(row: T): Compact<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined)) as Compact<T>;
}
