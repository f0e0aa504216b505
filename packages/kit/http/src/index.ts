export * from './answer.ts';
export * from './body.ts';
export * from './boundary.ts';
export * from './context.ts';
export * from './handler.ts';
export * from './listen.ts';
export * from './rate.ts';
