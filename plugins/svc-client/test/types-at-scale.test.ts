/** What types of many routes cost the compiler: counted in instantiations, which no busy machine changes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'

const require = createRequire(import.meta.url)
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
const PER_CLASS = 10

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    skipLibCheck: true
  },
  include: ['*.ts']
}

/** A class whose methods take and return different things, as those of an application do. */
function classText(index: number): string {
  const methods = Array.from({ length: PER_CLASS }, (_, method) => {
    const field = `f${index}x${method}`
    return `  async m${method}(id: string, body: { ${field}: string; at?: number }) {
    return { id, ${field}: body.${field}, when: new Date(0), tags: ['a'], owner: { name: 'x', since: new Date(0) } }
  }`
  })
  return `export class C${index} {\n${methods.join('\n')}\n}\n`
}

function mapText(routes: number): string {
  const classes = Array.from({ length: routes / PER_CLASS }, (_, index) => `C${index}`)
  const lines = Array.from({ length: routes }, (_, index) => {
    const method = `C${Math.floor(index / PER_CLASS)}['m${index % PER_CLASS}']`
    return `  'POST /r${index}/:id': { input: { params: { id: PathValue }; body: Taken<${method}, 1> }; answer: Returned<${method}>; errors: Errors1 }`
  })
  return `import type { PathValue, Returned, Taken } from 'svc-client'
${classes.map((name) => `import type { ${name} } from './${name.toLowerCase()}.js'`).join('\n')}
interface Errors1 { SVC_HTTP_VALIDATION: 400; SVC_SEC_DENIED: 403; SHOP_SOLD_OUT: 409 }
export interface Routes {\n${lines.join('\n')}\n}\n`
}

function callText(index: number): string {
  const field = `f${Math.floor(index / PER_CLASS)}x${index % PER_CLASS}`
  return `{
  const answer = await api.call('POST /r${index}/:id', { params: { id: 1 }, body: { ${field}: 'x' } })
  const text: string = answer.${field} + answer.when + answer.owner.since
  void text
}`
}

/** A program with that many routes, that calls some of them. @returns its folder */
function program(t: Test, routes: number, called: readonly number[], more = ''): string {
  const classes = Array.from({ length: routes / PER_CLASS }, (_, index) => [`c${index}.ts`, classText(index)])
  const calls = `import { createClient } from 'svc-client'
import type { Routes } from './routes.d.ts'
const api = createClient<Routes>({ baseUrl: 'http://x' })
${called.map(callText).join('\n')}
${more}
`
  return t.testdir({
    ...Object.fromEntries(classes),
    'package.json': '{"type":"module"}',
    'routes.d.ts': mapText(routes),
    'calls.ts': calls,
    'tsconfig.json': JSON.stringify(settings)
  })
}

function instantiations(t: Test, routes: number, called: readonly number[], more = ''): number {
  const dir = program(t, routes, called, more)
  const text = execFileSync(process.execPath, [TSC, '-p', dir, '--extendedDiagnostics'], { encoding: 'utf8' })
  return Number(/Instantiations:\s+(\d+)/.exec(text)?.[1])
}

t.test('200 routes, each called once: at most 150 instantiations a route', async (t) => {
  const none = instantiations(t, 200, [])
  const all = instantiations(t, 200, [...Array(200).keys()])
  const each = (all - none) / 200
  t.comment(`${none} without calls, ${all} with 200: ${each} a route`)
  t.ok(each > 0 && all / 200 <= 150, `${all / 200} a route, the rest of the program included`)
})

t.test('a call costs the same among 10 routes and among 500, once the map has been read', async (t) => {
  const costs = [10, 500].map((routes) => {
    const one = instantiations(t, routes, [3])
    const two = instantiations(t, routes, [3, 4])
    t.comment(`${routes} routes: ${one} with one call, ${two - one} for another`)
    return { perRoute: one / routes, another: two - one }
  })
  const [few, many] = costs
  t.equal(many?.another, few?.another)
  t.ok((many?.perRoute ?? 0) <= 40, 'the first call reads the map, in proportion to it')
})

t.test('what does not fit does not compile', async (t) => {
  const wrong = `
// @ts-expect-error no such route
await api.call('POST /none')
// @ts-expect-error another body
await api.call('POST /r0/:id', { params: { id: 1 }, body: { f0x1: 'x' } })
// @ts-expect-error a parameter is missing
await api.call('POST /r0/:id', { body: { f0x0: 'x' } })
// @ts-expect-error it is no WEBSOCKET route
await api.subscribe('POST /r0/:id')
const outcome = await api.attempt('POST /r0/:id', { params: { id: 1 }, body: { f0x0: 'x' } })
if (!outcome.ok) {
  const { error } = outcome
  switch (error.code) {
    case 'SHOP_SOLD_OUT': { const status: 409 = error.status; void status; break }
    case 'SVC_HTTP_VALIDATION': case 'SVC_SEC_DENIED': break
    case 'SVC_CLIENT_NETWORK': case 'SVC_CLIENT_ABORTED': case 'SVC_CLIENT_TIMEOUT': break
    case 'SVC_CLIENT_ANSWER': case 'SVC_CLIENT_STATUS': case 'SVC_CLIENT_CLOSED': break
    default: { const never: never = error; void never }
  }
} else {
  // @ts-expect-error a date travels as text
  const when: Date = outcome.data.when
  void when
}
`
  t.ok(instantiations(t, 10, [], wrong) > 0)
})

t.test('the error of a route that the map does not have names it, whatever the other routes take', async (t) => {
  const calls = ['call', 'attempt', 'fetch', 'subscribe'].flatMap((way) => [
    `await api.${way}('GET /unknown')`,
    `await api.${way}('GET /unknown', { query: { page: 1 } })`
  ])
  const { stdout } = spawnSync(
    process.execPath,
    [TSC, '-p', program(t, 10, [], calls.join('\n')), '--pretty', 'false'],
    {
      encoding: 'utf8'
    }
  )
  const named = `error TS2345: Argument of type '"GET /unknown"' is not assignable to parameter of type '"POST /r0/:id" | `
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  t.equal(errors.length, calls.length, stdout)
  for (const line of errors) t.match(line, named)
})
