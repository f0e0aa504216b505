import { z } from 'zod';

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

const PublicUrl = z
  .url()
  .refine((text) => {
    const url = new URL(text);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  }, 'must be https, or http on loopback')
  .transform((text) => text.replace(/\/+$/, ''));

const Origin = z.url().transform((text) => new URL(text).origin);

const PARTS = ['iam', 'compute', 'mcp', 'console', 'loops'] as const;

/** Every setting of the process, with its default (product.md §5). Unknown members are refused. */
export const OptionsSchema = z.strictObject({
  publicUrl: PublicUrl.optional().meta({ description: 'Address under which people and agents reach this server.' }),
  listen: z
    .strictObject({
      host: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
      port: z.int().min(0).max(65_535).default(7070).meta({ description: 'Port to listen on; 0 takes a free one.' }),
    })
    .prefault({}),
  tls: z
    .strictObject({
      certFile: z.string().optional().meta({ description: 'PEM certificate chain.' }),
      keyFile: z.string().optional().meta({ description: 'PEM private key.' }),
    })
    .refine((tls) => (tls.certFile === undefined) === (tls.keyFile === undefined), 'certFile and keyFile go together')
    .prefault({}),
  trustedProxies: z.int().min(0).max(8).default(0).meta({ description: 'How many proxies of yours stand in front; 0 reads no forwarding header.' }),
  allowedOrigins: z.array(Origin).max(64).optional().meta({
    description: "Origins whose pages may call what is mounted without a config file; default: publicUrl's. Your own mounts give theirs to createMcpGate.",
  }),
  trustedOrigins: z.array(Origin).max(64).optional().meta({ description: "Origins whose pages may call the APIs; default: publicUrl's." }),
  dataDir: z.string().default('./.better-compute').meta({ description: 'Folder of the embedded database and local state.' }),
  database: z
    .strictObject({
      url: z.string().startsWith('postgres').optional().meta({ description: 'PostgreSQL 15 or newer; without it dev uses the embedded one.' }),
      embedded: z.boolean().default(false).meta({ description: 'serve: use the embedded PostgreSQL in dataDir.' }),
      poolMax: z.int().min(2).max(200).default(10).meta({ description: 'Connections at most.' }),
    })
    .refine((d) => !(d.url !== undefined && d.embedded), 'url and embedded exclude each other')
    .prefault({}),
  secret: z.string().min(32).optional().meta({ description: 'At least 32 characters; keys signing. Better: secrets.keyFile.' }),
  secrets: z.strictObject({ keyFile: z.string().optional().meta({ description: 'File holding the secret, mode 600.' }) }).prefault({}),
  only: z.array(z.enum(PARTS)).min(1).optional().meta({ description: 'Parts this process runs; default: all.' }),
  mcp: z
    .strictObject({
      maxWaitMs: z.int().min(0).max(90_000).default(55_000).meta({ description: 'Longest one tool call waits in all.' }),
      maxConcurrentCallsPerCaller: z.int().min(1).max(64).default(4).meta({ description: 'Tool calls of one caller in flight.' }),
      protocolVersions: z.array(z.string()).min(1).optional().meta({ description: 'MCP revisions spoken; default: all.' }),
      instructions: z.string().max(4_000).optional().meta({ description: "Replaces the server's instructions; '' sends none." }),
    })
    .prefault({}),
  limits: z
    .strictObject({
      requestsPerMinute: z
        .int()
        .min(1)
        .default(1_200)
        .meta({ description: 'API requests per credential and minute; for an address too, of what has not shown whose it is.' }),
    })
    .prefault({}),
  drainSeconds: z.int().min(0).max(300).default(30).meta({ description: 'How long a stop waits for what is in flight.' }),
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').meta({ description: 'Least level that is logged.' }),
      format: z.enum(['text', 'json']).optional().meta({ description: 'Default: text on a terminal, else JSON.' }),
    })
    .prefault({}),
  retention: z
    .strictObject({
      endedDays: z.int().min(7).default(30).meta({ description: 'How long ended objects stay readable.' }),
      eventsDays: z.int().min(7).default(90).meta({ description: 'How long events are kept.' }),
    })
    .prefault({}),
});

export type OptionsInput = z.input<typeof OptionsSchema>;
export type Options = z.output<typeof OptionsSchema>;

/** Types the settings of a `better-compute.config.ts`. */
export const defineOptions = (options: OptionsInput): OptionsInput => options;

export { isLoopback };
