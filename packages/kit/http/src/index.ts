export * from './answer.ts';
export { requestIdOf } from './arrival.ts';
export * from './body.ts';
export * from './boundary.ts';
export * from './context.ts';
export * from './handler.ts';
export * from './listen.ts';
export * from './rate.ts';
export * from './url.ts';
