/** Modules that `svc module:add` knows: their packages, and how they are listed in a config. */

export interface KnownModule {
  /** npm name, and the plugin's own. */
  readonly package: string
  /** The name it is imported under. */
  readonly local: string
  /** Its entry in the list; a comment above it where one helps. */
  readonly entry: readonly string[]
  /** Modules that come along unless they are listed. */
  readonly with: readonly string[]
  /** It describes what is registered after it. */
  readonly first?: true
  /** Files that it needs to start. */
  readonly files?: ReadonlyArray<{ readonly path: string; readonly text: string }>
}

const ENTITIES_README = `# entities

One file per entity. Every file in this folder is loaded; its \`entities([...])\` declares what is kept.

\`npx svc create entity Article title:string body:text --route /api/articles\` writes the next one, with its controller
and its test.
`

/** By the word that is typed. */
export const KNOWN_MODULES: Readonly<Record<string, KnownModule>> = {
  orm: {
    package: 'svc-orm',
    local: 'svcOrm',
    entry: ['// Every file in this folder declares entities.', "[svcOrm, { dir: './entities' }]"],
    with: [],
    files: [{ path: 'entities/README.md', text: ENTITIES_README }]
  },
  sql: {
    package: 'svc-sqlorm',
    local: 'svcSqlorm',
    entry: [
      '// Tables of the entities are made at boot. PostgreSQL: postgres://user:password@host:5432/database',
      "[svcSqlorm, { connectors: { default: { url: 'sqlite:data/app.db' } } }]"
    ],
    with: ['orm']
  },
  docdb: {
    package: 'svc-docdb',
    local: 'svcDocdb',
    entry: [
      '// MongoDB on this machine, database svc, unless DOCDB_URI says otherwise.',
      "[svcDocdb, { connectors: { svc: { host: 'localhost', database: 'svc' } } }]"
    ],
    with: ['orm']
  },
  audit: { package: 'svc-audit', local: 'svcAudit', entry: ['svcAudit'], with: [] },
  limits: { package: 'svc-limits', local: 'svcLimits', entry: ['svcLimits'], with: [] },
  jobs: { package: 'svc-jobs', local: 'svcJobs', entry: ['svcJobs'], with: [] },
  events: {
    package: 'svc-events',
    local: 'svcEvents',
    entry: [
      '// Declare your events with defineEvents, and name the organisation of a request: see npx svc docs events-for-customers.',
      "[svcEvents, { events: {}, path: '/api/organizations/:organization' }]"
    ],
    with: ['jobs']
  },
  mail: {
    package: 'svc-mail',
    local: 'svcMail',
    entry: [
      '// Mails stay in an outbox; production needs transport: { url } and nodemailer: see npx svc docs sending-mail.',
      "[svcMail, { from: 'App <app@example.org>' }]"
    ],
    with: ['jobs']
  },
  files: {
    package: 'svc-files',
    local: 'svcFiles',
    entry: [
      '// In data/files, shared by all callers; for files of an organisation or on S3: see npx svc docs storing-files.',
      '[svcFiles, { scope: false }]'
    ],
    with: []
  },
  accounts: {
    package: 'svc-accounts',
    local: 'svcAccounts',
    entry: [
      '// Sign-up and resets; further flows, and what links lead to: see npx svc docs sign-up-to-deletion.',
      "[svcAccounts, { link: 'http://localhost:5151/account', signUp: {}, reset: {} }]"
    ],
    with: ['security', 'mail']
  },
  organizations: {
    package: 'svc-organizations',
    local: 'svcOrganizations',
    entry: [
      '// Members, roles and keys; invitations, domains and SCIM: see npx svc docs selling-to-organizations.',
      '[svcOrganizations, { create: {}, transfer: {}, keys: {} }]'
    ],
    with: ['security']
  },
  mcp: {
    package: 'svc-mcp',
    local: 'svcMcp',
    entry: [
      '// Routes with `tool` as tools of programs, at /mcp; its zone and its package: see npx svc docs tools-for-agents.',
      'svcMcp'
    ],
    with: []
  },
  realtime: { package: 'svc-realtime', local: 'svcRealtime', entry: ['svcRealtime'], with: [] },
  webhooks: { package: 'svc-webhooks', local: 'svcWebhooks', entry: ['svcWebhooks'], with: ['audit'] },
  ops: {
    package: 'svc-ops',
    local: 'svcOps',
    entry: ['// /svc/ops/health for everyone, /svc/ops/metrics for administrators.', 'svcOps'],
    with: []
  },
  otel: {
    package: 'svc-otel',
    local: 'svcOtel',
    entry: ['// Spans of every request, once an OpenTelemetry SDK is registered: see npx svc docs traces.', 'svcOtel'],
    with: []
  },
  console: {
    package: 'svc-console',
    local: 'svcConsole',
    entry: ['// For administrators, at /svc/console.', 'svcConsole'],
    with: []
  },
  test: {
    package: 'svc-test',
    local: 'svcTest',
    entry: ['// A receiver of webhooks, at /svc/test/webhooks; it does not load in production.', 'svcTest'],
    with: []
  },
  stores: { package: 'svc-stores', local: 'svcStores', entry: ['svcStores'], with: [] },
  security: {
    package: 'svc-security',
    local: 'svcSecurity',
    entry: [
      '// A zone says how callers prove who they are.',
      "[svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['session', 'anonymous'] } } }]"
    ],
    with: []
  },
  decorators: {
    package: 'svc-decorators',
    local: 'svcDecorators',
    entry: ['// Every exported class with @controller in this folder.', "[svcDecorators, { dir: './controllers' }]"],
    with: []
  },
  openapi: {
    package: 'svc-openapi',
    local: 'svcOpenapi',
    entry: ['// Describes what is registered after it, at /svc/docs/api/.', 'svcOpenapi'],
    with: [],
    first: true
  }
}
