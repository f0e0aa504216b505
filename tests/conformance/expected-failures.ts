/** What the official suite finds missing, and why: it tries everything a server could offer, whether or not it says that it offers it. */
interface Expected {
  reason: string;
  /** `scenario:check`, by revision. */
  checks: Readonly<Record<'2025-11-25' | '2026-07-28', readonly string[]>>;
}

const both = (...checks: string[]) => ({ '2025-11-25': checks, '2026-07-28': checks });

export const expectedFailures: readonly Expected[] = [
  {
    reason: 'The page has tools alone: prompts, resources, completion and logging are neither offered nor said to be.',
    checks: {
      '2025-11-25': [
        'completion-complete:completion-complete',
        'logging-set-level:logging-set-level',
        'tools-call-with-logging:tools-call-with-logging',
        'resources-list:resources-list',
        'resources-read-text:resources-read-text',
        'resources-read-binary:resources-read-binary',
        'resources-templates-read:resources-templates-read',
        'resources-subscribe:resources-subscribe',
        'resources-unsubscribe:resources-unsubscribe',
        'prompts-list:prompts-list',
        'prompts-get-simple:prompts-get-simple',
        'prompts-get-with-args:prompts-get-with-args',
        'prompts-get-embedded-resource:prompts-get-embedded-resource',
        'prompts-get-with-image:prompts-get-with-image',
      ],
      '2026-07-28': [
        'completion-complete:completion-complete',
        'resources-list:resources-list',
        'resources-read-text:resources-read-text',
        'resources-read-binary:resources-read-binary',
        'resources-templates-read:resources-templates-read',
        'prompts-list:prompts-list',
        'prompts-get-simple:prompts-get-simple',
        'prompts-get-with-args:prompts-get-with-args',
        'prompts-get-embedded-resource:prompts-get-embedded-resource',
        'prompts-get-with-image:prompts-get-with-image',
        'caching:sep-2549-prompts-list-caching-hints',
        'caching:sep-2549-resources-list-caching-hints',
        'caching:sep-2549-resources-templates-list-caching-hints',
        'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
      ],
    },
  },
  {
    reason: 'A result is what compute answered, as text and as an object (B140): no tool has an image, a sound or a resource to give.',
    checks: both(
      'tools-call-image:tools-call-image',
      'tools-call-audio:tools-call-audio',
      'tools-call-embedded-resource:tools-call-embedded-resource',
      'tools-call-mixed-content:tools-call-mixed-content',
    ),
  },
  {
    reason: 'Answers are JSON alone (B168): nothing is sent beside the one answer, neither progress nor a question of the server.',
    checks: {
      '2025-11-25': [
        'tools-call-with-progress:tools-call-with-progress',
        'tools-call-sampling:tools-call-sampling',
        'tools-call-elicitation:tools-call-elicitation',
        'elicitation-sep1034-defaults:elicitation-sep1034-general',
        'elicitation-sep1330-enums:elicitation-sep1330-general',
      ],
      '2026-07-28': ['tools-call-with-progress:tools-call-with-progress'],
    },
  },
  {
    reason: 'The one question this server ever asks is an address for a person, called `approval` (compute.md §11.3): never a form, a model or a folder.',
    checks: {
      '2025-11-25': [],
      '2026-07-28': [
        'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
        'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
        'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
        'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
        'input-required-result-capability-check:sep-2322-respect-client-capabilities',
      ],
    },
  },
  {
    reason: 'No tool needs a capability of its client, so -32021 is never answered (compute.md §11.2); a tool that does not exist is the refusal of the gate.',
    checks: {
      '2025-11-25': [],
      '2026-07-28': ['server-stateless:sep-2575-server-rejects-undeclared-capability', 'server-stateless:sep-2575-missing-capability-http-400'],
    },
  },
  {
    reason: 'Schemas of arguments are written out, without $schema and $defs (compute.md §11.4). Pending in the suite.',
    checks: both('json-schema-2020-12:json-schema-2020-12-tool-found'),
  },
  {
    reason: 'No tool maps an argument to a header (compute.md §11.2). Pending in the suite.',
    checks: {
      '2025-11-25': [],
      '2026-07-28': [
        'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool',
        'http-custom-header-server-validation:sep-2243-server-decode-base64',
        'http-custom-header-server-validation:sep-2243-server-validate-param-match',
        'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars',
        'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch',
      ],
    },
  },
];

/** Whole scenarios of an extension that is not offered. */
export const notOffered: Readonly<Record<string, string>> = { 'tasks-': 'The tasks extension is not offered.' };
