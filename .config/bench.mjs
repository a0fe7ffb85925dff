/**
 * `npm run bench -- <name> [arguments]`: installs what is compared with, builds, and runs one benchmark.
 * Without a name it lists them. Frameworks and libraries that are only compared with have a lockfile of their own.
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installIn, runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive, runQuietStep } from './run-step.mjs'

const ROOMY = ['--min-semi-space-size=256', '--max-semi-space-size=256']

/** By name. `entry` is below `test/dist/bench`, by default `<name>/run.js`; `prepare` gets the path of Node. */
export const BENCHMARKS = {
  summary: {
    what: 'measures what the README and docs/benchmarks.md show, and writes both',
    prepare: installPeers
  },
  http: { what: 'a request and a message, beside Fastify by hand and bare Fastify' },
  injected: { what: 'the same without sockets, for a busy machine', entry: 'http/injected.js' },
  peers: { what: 'one application beside NestJS, AdonisJS, Hono and Fastify', prepare: installPeers },
  security: { what: 'what authentication costs a request' },
  identities: { what: 'each proof of identity beside a hook by hand', entry: 'security/identities.js' },
  logins: { what: 'whether the time of a failed login says why it failed' },
  'hostile-bodies': { what: 'what a body costs that is made to be expensive' },
  audit: { what: 'an event of the journal beside a ring buffer', flags: ['--expose-gc', ...ROOMY] },
  limits: { what: 'a rate limit beside rate-limiter-flexible, and beside one statement by hand' },
  requests: { what: 'what the list of requests costs a request', flags: ROOMY },
  traces: { what: 'what traces cost, and call sites that nothing listens to', flags: ['--expose-gc', ...ROOMY] },
  webhooks: { what: 'recording, admitting and delivering webhooks' },
  jobs: { what: 'jobs beside pg-boss, graphile-worker and BullMQ', prepare: installJobRivals },
  tools: { what: 'a call of a tool beside the request to its route' },
  sockets: { what: 'memory of idle WebSockets', flags: ['--expose-gc'] },
  orm: { what: 'repositories beside Kysely, pg, Drizzle, MikroORM and TypeORM', prepare: installRivals },
  relations: { what: 'relations and a stream of a million rows', entry: 'orm/relations.js', flags: ['--expose-gc'] },
  questions: { what: 'what finds ask of related rows beside statements by hand', entry: 'orm/questions.js' },
  trees: { what: 'parts of trees and paths, beside recursive statements by hand', entry: 'orm/trees.js' },
  writes: { what: 'arithmetic, upserts, many rows and groups, beside the statements by hand', entry: 'orm/writes.js' },
  search: { what: 'searches of words beside FTS5 and tsvector by hand' },
  scope: { what: 'what a scope costs a find, and row-level security', entry: 'orm/scope.js' },
  migrations: { what: 'migrations of 200 tables beside the same statements by hand', entry: 'orm/migrations.js' },
  fairness: { what: 'how long others wait during long work on SQLite', entry: 'orm/fairness.js' },
  'million-rows': { what: 'plan and time of statements on a million rows', entry: 'orm/million-rows.js' },
  'store-plans': { what: 'the same for sessions, tokens and audit events', entry: 'orm/store-plans.js' },
  crud: { what: 'a generated list beside the same list by hand' },
  docdb: { what: 'documents beside Mongoose and the driver' },
  'docdb-outage': { what: 'the first answer after an outage, beside Mongoose', entry: 'docdb/outage.js' },
  start: { what: 'cold starts, and where each millisecond goes' },
  'first-hour': { what: 'what a newcomer waits for' },
  console: { what: 'what the console costs a browser' },
  reading: { what: 'which files run while a feature is served once' },
  guard: { what: 'whether this checkout is slower than another commit' }
}

async function installPeers(node) {
  const peers = join(root, '.config', 'peers')
  await installIn(peers, 'NestJS, AdonisJS and Hono')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await runQuietStep('compiling the application on NestJS', node, [compiler, '-p', join(peers, 'nest')])
}

async function installRivals() {
  await installIn(join(root, '.config', 'orm-rivals'), 'Drizzle, MikroORM and TypeORM')
}

async function installJobRivals() {
  await installIn(join(root, '.config', 'job-rivals'), 'pg-boss and graphile-worker')
}

function list() {
  const width = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length))
  const lines = Object.entries(BENCHMARKS).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`)
  return `npm run bench -- <name> [arguments]\n\n${lines.join('\n')}\n`
}

/** The compiled module of a benchmark, from the root of the repository. */
export function entryOf(name) {
  return `test/dist/bench/${BENCHMARKS[name].entry ?? `${name}/run.js`}`
}

async function main([name, ...given]) {
  if (name === undefined) {
    process.stdout.write(list())
    return
  }
  if (!Object.hasOwn(BENCHMARKS, name)) {
    process.stderr.write(`there is no benchmark "${name}"\n\n${list()}`)
    process.exitCode = 1
    return
  }
  const { flags = [], prepare } = BENCHMARKS[name]
  await runAfterBootstrap(async (node) => {
    await prepare?.(node)
    return runLive(node, [...flags, join(root, entryOf(name)), ...given])
  })
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
