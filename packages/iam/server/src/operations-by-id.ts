import { operations, type IamOperations } from '@better-iam/contract';

type ById = { [Op in IamOperations[number] as Op['id']]: Op };

/** Every operation by its id, with its own types. */
export const operationsById = Object.freeze(Object.fromEntries(operations.map((op) => [op.id, op]))) as ById;
export type OperationOf<Id extends keyof ById> = ById[Id];
