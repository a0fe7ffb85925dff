/**
 * What it costs to know who calls, beside the same written by hand: CPU time per request in one process, requests
 * injected without sockets, both sides in small batches that alternate. Users, sessions and keys are kept in memory.
 * Each figure is taken above an empty route of the same application. Prints a Markdown table.
 *
 *   npm run bench -- identities      300 batches of 50
 *   npm run bench -- identities 100  100 batches of 50
 */

import { hash } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { handmade } from './handmade-app.ts'
import { guarded, USER } from './identities-app.ts'
import { cpuPerOperation } from './in-process.ts'

const [batches = 300] = process.argv.slice(2).map(Number)
const AT_ONCE = 50
const LOOPED = 20_000
/** Of a password hash: each takes as long as hundreds of the others. */
const HASHES_AT_ONCE = 2

interface Case {
  readonly name: string
  readonly path: string
  readonly headers: InjectOptions['headers']
  readonly svc: FastifyInstance
}

const svc = await guarded({})
const unremembering = await guarded({ cacheSize: 0 })
const { apikey, jwt, cookie } = svc
const basic = Buffer.from(`${USER.identifier}:${USER.password}`).toString('base64')
const byHand = await handmade({ apikey, jwt, cookie, publicKey: svc.publicKey, firstKey: unremembering.publicKey })

const cases: readonly Case[] = [
  { name: 'API key', path: '/apikey', headers: { authorization: `Bearer ${apikey}` }, svc: svc.app },
  { name: 'session', path: '/session', headers: { cookie }, svc: svc.app },
  { name: 'JWT, known', path: '/jwt', headers: { authorization: `Bearer ${jwt}` }, svc: svc.app },
  {
    name: 'JWT, at first sight',
    path: '/first-jwt',
    headers: { authorization: `Bearer ${unremembering.jwt}` },
    svc: unremembering.app
  },
  { name: 'name and password', path: '/basic', headers: { authorization: `Basic ${basic}` }, svc: svc.app }
]

process.stdout.write(`Node ${process.versions.node}, ${batches} batches of ${AT_ONCE}\n\n`)
process.stdout.write(
  '| proof | svc, us | by hand, us | svc above it, us | lowest eighth, us | ratio |\n|---|---:|---:|---:|---:|---:|\n'
)
for (const { name, path, headers, svc: app } of cases) {
  const slow = path === '/basic'
  const count = slow ? HASHES_AT_ONCE : AT_ONCE
  const [ours, hands]: [number[], number[]] = [[], []]
  for (let batch = -10; batch < (slow ? batches / 5 : batches); batch += 1) {
    const [own, hand] = [await above(app, path, headers, count), await above(byHand, path, headers, count)]
    if (batch < 0) continue
    ours.push(own)
    hands.push(hand)
  }
  row(name, ours, hands)
}
const { tokens } = svc.app
const holders = new Map([[hash('sha256', apikey, 'hex'), USER]])
const loops: ReadonlyArray<readonly [name: string, own: () => unknown, byHand: () => unknown]> = [
  ['API key, in a loop', () => tokens.apiKeys.prove(apikey), () => holders.get(hash('sha256', apikey, 'hex'))],
  ['JWT, known, in a loop', () => tokens.prove(jwt), () => holders.get(hash('sha256', jwt, 'base64url'))]
]
for (const [name, own, hand] of loops) {
  const [ours, hands]: [number[], number[]] = [[], []]
  for (let batch = -3; batch < 15; batch += 1) {
    const pair = [cpuPerOperation(LOOPED, own), cpuPerOperation(LOOPED, hand)] as const
    if (batch < 0) continue
    ours.push(pair[0])
    hands.push(pair[1])
  }
  row(name, ours, hands)
}
await Promise.all([svc.app.close(), unremembering.app.close(), byHand.close()])

function row(name: string, ours: readonly number[], hands: readonly number[]): void {
  const more = ours.map((own, batch) => own - (hands[batch] as number))
  const ratio = quantile(ours, 0.5) / quantile(hands, 0.5)
  const cells = [quantile(ours, 0.5), quantile(hands, 0.5), quantile(more, 0.5), quantile(more, 1 / 8)]
  process.stdout.write(`| ${name} | ${cells.map((us) => us.toFixed(2)).join(' | ')} | ${ratio.toFixed(2)} |\n`)
}

/** Microseconds of CPU per request above the empty route of the same application. */
async function above(
  app: FastifyInstance,
  path: string,
  headers: InjectOptions['headers'],
  count: number
): Promise<number> {
  const empty = await cost(app, '/empty', headers, count)
  return (await cost(app, path, headers, count)) - empty
}

async function cost(
  app: FastifyInstance,
  url: string,
  headers: InjectOptions['headers'],
  count: number
): Promise<number> {
  const before = process.cpuUsage()
  for (let done = 0; done < count; done += 1) {
    const { statusCode } = await app.inject({ url, ...(headers !== undefined && { headers }) })
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] as number
}
