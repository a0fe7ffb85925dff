/**
 * What authentication costs over an empty route of the same application: server CPU
 * time per request, interleaved rounds, differences of medians. Prints a Markdown table.
 *
 *   npm run bench -- security         7 rounds of 10000
 *   npm run bench -- security 3 3000  3 rounds of 3000
 */
import { load } from '../measured/load.ts'
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Scenario } from '../measured/scenario.ts'
import { cpuPerOperation, juryOfTwo } from './in-process.ts'
import { rawVerification } from './raw-verification.ts'

const [rounds = 7, requests = 10_000] = process.argv.slice(2).map(Number)

const USER = { username: 'alice', password: 'a password of a bench' }

const ours = await MeasuredChild.start('../security/security-server.js')
const without = await MeasuredChild.start('../security/security-server.js', 'without')
const raw = await MeasuredChild.start('../security/raw-security-server.js')
const samples = new Map<string, number[]>()
try {
  const { jwt, apikey, cookie } = await credentials(ours.port)
  const first = (await credentials(without.port)).jwt
  const verification = rawVerification(jwt.lastIndexOf('.'))
  const decision = await juryOfTwo()
  const measures: ReadonlyArray<readonly [name: string, measure: () => Promise<number> | number]> = [
    ['empty', () => cost(ours, get('/empty'))],
    ['session', () => cost(ours, get('/session', `cookie: ${cookie}`))],
    ['session content', () => cost(ours, get('/session/content', `cookie: ${cookie}`))],
    ['visited', () => cost(ours, get('/empty', `cookie: ${cookie}`))],
    ['without empty', () => cost(without, get('/empty'))],
    ['without visited', () => cost(without, get('/empty', `cookie: ${cookie}`))],
    ['raw plugin', () => cost(raw, get('/plugin'))],
    ['apikey', () => cost(ours, get('/apikey', `authorization: Bearer ${apikey}`))],
    ['jwt', () => cost(ours, get('/jwt', `authorization: Bearer ${jwt}`))],
    ['first jwt', () => cost(without, get('/jwt', `authorization: Bearer ${first}`))],
    ['raw empty', () => cost(raw, get('/empty'))],
    ['raw verified', () => cost(raw, get('/verified', `authorization: Bearer ${jwt}`))],
    ['raw verify', () => cpuPerOperation(requests, verification)],
    ['jury', () => cpuPerOperation(requests * 100, decision)],
    ['refused', () => cost(ours, { ...get('/jwt'), status: 401 })],
    ['raw refused', () => cost(raw, { ...get('/jwt'), status: 401 })],
    ['denied', () => cost(ours, { ...get('/visitors/denied'), status: 403 })],
    ['raw denied', () => cost(raw, { ...get('/visitors/denied'), status: 403 })]
  ]
  for (let round = -1; round < rounds; round += 1) {
    // The order alternates; the first round only warms up.
    for (const [name, measure] of round % 2 === 0 ? measures : measures.toReversed()) {
      const value = await measure()
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), value])
    }
  }
} finally {
  await Promise.all([ours.stop(), without.stop(), raw.stop()])
}

const [session, apikey, jwt] = [above('session'), above('apikey'), above('jwt')]
const firstJwt = above('first jwt', 'without empty')
const verified = above('raw verified', 'raw empty')
const jwtBudget = 1.15 * median('raw verify') + 10
process.stdout.write(`Node ${process.versions.node}, ${rounds} interleaved rounds of ${requests} requests\n\n`)
process.stdout.write('| case | measured | spread | budget |\n|---|---:|---:|---:|\n')
row('empty route, no zone', `${median('empty').toFixed(1)} us`, spread('empty'), '')
row('session zone, above it', `${session.toFixed(1)} us`, spread('session', 'empty'), '<= 10 us')
const content = above('session content')
row('the same, request.session read', `${content.toFixed(1)} us`, spread('session content', 'empty'), '')
const [plugins, visited] = [above('empty', 'without empty'), above('visited', 'without visited')]
row('request.session, on a public route', `${plugins.toFixed(1)} us`, spread('empty', 'without empty'), '<= 1 us')
row('the same, with a session cookie', `${visited.toFixed(1)} us`, spread('visited', 'without visited'), '<= 1 us')
const plain = above('raw plugin', 'raw empty')
row('@fastify/session as it comes, there', `${plain.toFixed(1)} us`, spread('raw plugin', 'raw empty'), '')
row('API-key zone, above it', `${apikey.toFixed(1)} us`, spread('apikey', 'empty'), '<= 10 us')
row('one raw Ed25519 verification', `${median('raw verify').toFixed(1)} us`, spread('raw verify'), '')
row(
  'the same in a handler of raw Fastify, above its empty route',
  `${verified.toFixed(1)} us`,
  spread('raw verified', 'raw empty'),
  ''
)
row('JWT zone, above it', `${jwt.toFixed(1)} us`, spread('jwt', 'empty'), '<= 10 us')
const firstSpread = spread('first jwt', 'without empty')
row('the same at first sight, above it', `${firstJwt.toFixed(1)} us`, firstSpread, `<= ${jwtBudget.toFixed(1)} us`)
row('jury of two synchronous voters', `${median('jury').toFixed(3)} us`, spread('jury'), '<= 1 us')
row('401 without proof, svc / by hand', (median('refused') / median('raw refused')).toFixed(2), '', '<= 1.17')
row('403 of the jury, svc / by hand', (median('denied') / median('raw denied')).toFixed(2), '', '<= 1.17')

function row(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

function get(path: string, ...headers: readonly string[]): Scenario {
  return { name: path, transport: 'http', path, headers, status: 200, budget: 0 }
}

/** Microseconds of server CPU per request over one round. */
async function cost(child: MeasuredChild, scenario: Scenario): Promise<number> {
  const before = await child.read()
  await load(child.port, scenario, requests)
  const after = await child.read()
  return (after.cpuUs - before.cpuUs) / requests
}

function above(name: string, base = 'empty'): number {
  return median(name) - median(base)
}

function median(name: string): number {
  const sorted = [...(samples.get(name) ?? [])].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

/** Lowest and highest of a round, less those of another case in the same round. */
function spread(name: string, base?: string): string {
  const values = (samples.get(name) ?? []).map((value, index) => value - (samples.get(base ?? '')?.[index] ?? 0))
  const digits = name === 'jury' ? 3 : 1
  return `${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)}`
}

async function credentials(port: number): Promise<{ jwt: string; apikey: string; cookie: string }> {
  const base = `http://127.0.0.1:${port}`
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${base}/svc/security/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(USER)
  })
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';')
  const made = (await (await fetch(`${base}/credentials`)).json()) as { jwt: string; apikey: string }
  return { ...made, cookie }
}
