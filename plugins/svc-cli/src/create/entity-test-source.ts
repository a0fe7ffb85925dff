/** The text of the test of a new entity: every route of its controller, on rows kept in memory. Pure. */
import { isSecretField } from 'svc-kernel/plugin'
import { type EntityDraft, type EntityFieldType, type KeptPart, referenceName } from './entity-fields.ts'
import type { EntityNames } from './entity-names.ts'

const SAMPLES: Readonly<Record<EntityFieldType, readonly [first: string, second: string]>> = {
  string: ["'one'", "'two'"],
  text: ["'a longer text'", "'another one'"],
  integer: ['1', '2'],
  float: ['1.5', '2.5'],
  bigint: ["'1'", "'9007199254740993'"],
  decimal: ["'1.50'", "'-2.25'"],
  boolean: ['true', 'false'],
  date: ["'2026-01-01T00:00:00.000Z'", "'2026-02-01T00:00:00.000Z'"],
  day: ["'2026-01-01'", "'2026-02-01'"],
  uuid: ["'00000000-0000-4000-8000-000000000001'", "'00000000-0000-4000-8000-000000000002'"],
  email: ["'ann@example.org'", "'bob@example.org'"],
  url: ["'https://example.org/a'", "'https://example.org/b'"],
  interval: ["'P1D'", "'PT1H30M'"],
  bytes: ["'AQI='", "'AP8='"],
  json: ['{ some: 1 }', '{ other: 2 }']
}

/** @param controller path from the test to the file of the controller */
export function entityTestSource(names: EntityNames, draft: EntityDraft, controller: string): string {
  const fields = valuesOf(draft)
  const { kept } = draft
  const { route, plural, controller: className } = names
  const sample = (which: 0 | 1) => fields.map(({ name, samples }) => `${name}: ${samples[which]}`).join(', ')
  const hidden = draft.fields.filter(({ name, type }) => isSecretField(name, type)).map(({ name }) => name)
  const row = (name: string) => (hidden.length === 0 ? name : `shown(${name})`)
  const changed = change(fields.filter(({ name }) => !hidden.includes(name)))
  const owners = ownersOf(draft)
  const required = fields.find(({ nullable }) => !nullable)
  return `/** ${plural}: every route of the controller, on rows kept in memory. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
${owners.length === 0 ? '' : "import type { FastifyInstance } from 'fastify'\n"}import svcDecorators from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import svcOrm from 'svc-orm'
${owners.length === 0 ? '' : "import { entityPlan } from 'svc-orm/driver'\n"}import { ${className} } from '${controller}'

const path = '${route}'
const first = { ${sample(0)} }
const second = { ${sample(1)} }
${withoutKept(kept)}${withoutHidden(hidden)}${referring(owners)}
async function serve(t: TestContext) {
  const config = defineConfig({
    mode: 'test',
    server: { logger: false },
    modules: [
      [svcOrm, { memory: true }],
      [svcDecorators, { controllers: [${className}] }]
    ]
  })
  const fastify = await createServer(application(config, import.meta.url))
  t.after(() => fastify.close())
  await fastify.ready()
${owners.length === 0 ? '' : '  await refer(fastify)\n'}  return fastify
}

test('a row is created, read, replaced, changed and removed', async (t) => {
  const fastify = await serve(t)
  const created = await fastify.inject({ method: 'POST', url: path, body: first })
  assert.equal(created.statusCode, 201)
  const { id } = created.json()
  const url = \`\${path}/\${id}\`
  assert.equal(created.headers.location, url)
  assert.deepEqual(${given('created.json()', kept)}, { id, ...${row('first')} })
  assert.deepEqual(${given('(await fastify.inject(url)).json()', kept)}, { id, ...${row('first')} })

  const replaced = await fastify.inject({ method: 'PUT', url, body: second })
  assert.deepEqual(${given('replaced.json()', kept)}, { id, ...${row('second')} })
  const changed = await fastify.inject({ method: 'PATCH', url, body: { ${changed} } })
  assert.deepEqual(${given('changed.json()', kept)}, { id, ...${row('second')}, ${changed} })

  assert.equal((await fastify.inject({ method: 'DELETE', url })).statusCode, 204)
  assert.equal((await fastify.inject(url)).statusCode, 404)
})

test('a list has pages; an unknown parameter is refused', async (t) => {
  const fastify = await serve(t)
  for (const body of [first, second]) await fastify.inject({ method: 'POST', url: path, body })
  const { items, ...rest } = (await fastify.inject(\`\${path}?limit=1&order=id:ASC\`)).json()
  assert.equal(items.length, 1)
  assert.deepEqual(rest, { limit: 1, offset: 0, hasNext: true, total: 2 })
  assert.equal((await fastify.inject(\`\${path}?unknown=1\`)).statusCode, 400)
})

test('a WebSocket gets the same list', async (t) => {
  const fastify = await serve(t)
  await fastify.inject({ method: 'POST', url: path, body: first })
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(address.replace('http', 'ws') + path)
  t.after(() => socket.close())
  await once(socket, 'open')
  socket.send('')
  const [{ data }] = await once(socket, 'message')
  assert.deepEqual(JSON.parse(data), (await fastify.inject(path)).json())
})
${required === undefined ? '' : requiredTest(required.name)}`
}

interface SampledValue {
  readonly name: string
  readonly nullable: boolean
  readonly samples: readonly [first: string, second: string]
}

const [ONE, OTHER] = SAMPLES.uuid

/** A reference names a row that `refer` makes, or none where it may. */
function valuesOf({ fields, relations }: EntityDraft): readonly SampledValue[] {
  return [
    ...fields.map(({ name, nullable, type }) => ({ name, nullable, samples: SAMPLES[type] })),
    ...relations.map(({ name, nullable }) => ({
      name: referenceName(name),
      nullable,
      samples: nullable ? (['null', 'null'] as const) : SAMPLES.uuid
    }))
  ]
}

/** The entities of which there have to be rows. */
function ownersOf({ relations }: EntityDraft): readonly string[] {
  return [...new Set(relations.filter(({ nullable }) => !nullable).map(({ target }) => target))]
}

function referring(owners: readonly string[]): string {
  if (owners.length === 0) return ''
  const names = owners.map((name) => `'${name}'`).join(', ')
  return `
/** Rows that others refer to: an id is enough. */
async function refer({ orm }: FastifyInstance) {
  const [memory] = orm.connectors()
  const owners = orm.entities().filter(({ name }) => [${names}].includes(name))
  for (const entity of owners) await memory?.table(entityPlan(entity)).insert([{ id: ${ONE} }, { id: ${OTHER} }])
}
`
}

const KEPT_FIELDS: Readonly<Record<KeptPart, readonly string[]>> = {
  timestamps: ['createdAt', 'updatedAt'],
  softDelete: [],
  version: ['version']
}

/** An answer without what the repository keeps. */
function given(answer: string, kept: readonly KeptPart[]): string {
  return kept.some((part) => KEPT_FIELDS[part].length > 0) ? `values(${answer})` : answer
}

function withoutKept(kept: readonly KeptPart[]): string {
  const names = kept.flatMap((part) => KEPT_FIELDS[part])
  if (names.length === 0) return ''
  const left = names.map((name) => `${name}: _${name}`).join(', ')
  return `\n/** A row without what its repository keeps. */\nconst values = ({ ${left}, ...row }: Record<string, unknown>) => row\n`
}

function withoutHidden(names: readonly string[]): string {
  if (names.length === 0) return ''
  const left = names.map((name) => `${name}: _${name}`).join(', ')
  return `\n/** What answers have of a row. */\nconst shown = ({ ${left}, ...row }: Record<string, unknown>) => row\n`
}

function change(fields: readonly SampledValue[]): string {
  const [field] = fields
  return field === undefined ? '' : `${field.name}: first.${field.name}`
}

function requiredTest(name: string): string {
  return `
test('a body without ${name} is refused, and says so', async (t) => {
  const fastify = await serve(t)
  const { ${name}: _, ...others } = first
  const refused = await fastify.inject({ method: 'POST', url: path, body: others })
  assert.equal(refused.statusCode, 400)
  assert.deepEqual(refused.json().details, [{ path: '/${name}', message: 'is required' }])
})
`
}
