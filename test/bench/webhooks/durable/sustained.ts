/**
 * How many deliveries a second reach a receiver on this machine, from their admission on, with what each of them costs in
 * CPU: ours, an outbox written by hand on the same database, and BullMQ. Each side in processes of its own, in turns.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Engine, postgres, redis, sqlite } from '../../measured/engines.ts'
import { type Measurement, median } from '../measurement.ts'
import type { SinkReport } from './counting-sink.ts'
import type { SenderSettings } from './sender.ts'
import type { SenderOrder } from './sender-process.ts'

interface Side {
  readonly name: string
  readonly kind: SenderSettings['side']
  readonly engine: Engine
  readonly processes: number
  readonly budget: string
}

interface Round {
  readonly perSecond: number
  /** CPU of the senders, us a delivery. */
  readonly us: number
  readonly again: number
}

/** A round takes so many of those that were asked for: each is written, claimed, sent and settled. */
const PART = 0.5

async function measure(rounds: number, count: number): Promise<string[]> {
  const file = sqlite()
  const [server, cache] = await Promise.all([postgres(), redis()])
  const sink = start('./counting-sink.js')
  const [port] = (await once(sink, 'message')) as [number]
  const measured = sidesOf(file, server, cache).map((side) => ({ side, rounds: [] as Round[] }))
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const each of turn % 2 === 0 ? measured : measured.toReversed()) {
        each.rounds.push(await round(each.side, sink, port, Math.ceil(count * PART)))
      }
    }
  } finally {
    sink.disconnect()
    await Promise.all([file, server, cache].map((engine) => engine?.close()))
  }
  return [
    '| sustained deliveries to a receiver on this machine | deliveries/s | least - most | us CPU of the senders each | sent twice | budget |',
    '|---|---:|---:|---:|---:|---:|',
    ...measured.map(({ side, rounds: all }) => {
      const rates = all.map(({ perSecond }) => perSecond)
      const spread = `${Math.min(...rates).toFixed(0)} - ${Math.max(...rates).toFixed(0)}`
      const us = median(all.map((each) => each.us)).toFixed(0)
      const again = all.reduce((sum, each) => sum + each.again, 0)
      return `| ${side.name} | ${median(rates).toFixed(0)} | ${spread} | ${us} | ${again} | ${side.budget} |`
    })
  ]
}

function sidesOf(file: Engine, server: Engine | null, cache: Engine | null): Side[] {
  const on = (engine: Engine, processes: number, budget: string): Side[] => {
    const where = `${engine.name}, ${processes === 1 ? '1 process' : `${processes} processes`}`
    return [
      { name: `ours, ${where}`, kind: 'svc', engine, processes, budget },
      { name: `bare outbox, ${where}`, kind: 'outbox', engine, processes, budget: 'none' }
    ]
  }
  const bullmq = (processes: number): Side[] => {
    if (cache === null) return []
    const name = `BullMQ, ${processes === 1 ? '1 process' : `${processes} processes`}`
    return [{ name, kind: 'bullmq', engine: cache, processes, budget: 'none' }]
  }
  return [
    ...on(file, 1, '>= 1500/s'),
    ...(server === null ? [] : on(server, 2, '>= 1000/s')),
    ...bullmq(1),
    ...bullmq(2)
  ]
}

async function round(side: Side, sink: ChildProcess, port: number, count: number): Promise<Round> {
  const settings: SenderSettings = {
    side: side.kind,
    storage: await side.engine.fresh(),
    receiver: `http://127.0.0.1:${port}`
  }
  const senders: ChildProcess[] = []
  try {
    for (let index = 0; index < side.processes; index += 1) {
      const sender = start('./sender-process.js', JSON.stringify(settings), index === 0 ? 'first' : 'later')
      senders.push(sender)
      await once(sender, 'message')
    }
    const share = Math.ceil(count / side.processes / 400) * 400
    // What is loaded, compiled and connected once does not count.
    await burst(senders, sink, 400)
    return await burst(senders, sink, share)
  } finally {
    await Promise.all(senders.map(ended))
  }
}

async function burst(senders: readonly ChildProcess[], sink: ChildProcess, share: number): Promise<Round> {
  const total = share * senders.length
  sink.send(total)
  const all = once(sink, 'message') as Promise<[SinkReport]>
  const before = await sum(senders, 'cpu')
  const began = performance.now()
  await sum(senders, { admit: share })
  const [{ again }] = await all
  const seconds = (performance.now() - began) / 1000
  const us = ((await sum(senders, 'cpu')) - before) / total
  return { perSecond: total / seconds, us, again }
}

async function sum(senders: readonly ChildProcess[], order: SenderOrder): Promise<number> {
  const answers = senders.map(async (sender) => {
    const answered = once(sender, 'message') as Promise<[number]>
    sender.send(order)
    return (await answered)[0]
  })
  return (await Promise.all(answers)).reduce((total, each) => total + each, 0)
}

async function ended(sender: ChildProcess): Promise<void> {
  if (sender.exitCode !== null || sender.signalCode !== null) return
  const exit = once(sender, 'exit')
  sender.disconnect()
  await exit
}

function start(file: string, ...args: string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' }
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { env })
}

export const sustained: Measurement = { name: 'sustained', measure }
