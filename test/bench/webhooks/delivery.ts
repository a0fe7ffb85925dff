/**
 * What one delivery over a kept connection costs the sender, in microseconds of
 * CPU: bare undici, ours with a fixed answer for the name, ours with the
 * system's resolver. Senders and receiver are child processes; rounds are interleaved.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Measurement } from './measurement.ts'

const SENDERS = ['bare', 'pinned', 'resolved'] as const

async function measure(rounds: number, deliveries: number): Promise<string[]> {
  const sink = start('./sink.js')
  const port = await said<number>(sink)
  const senders = await Promise.all(SENDERS.map((side) => startSender(side, port)))
  const samples: number[][] = senders.map(() => [])
  try {
    for (const sender of senders) await round(sender, deliveries)
    for (let turn = 0; turn < rounds; turn += 1) {
      for (let step = 0; step < senders.length; step += 1) {
        const index = (turn + step) % senders.length
        samples[index]?.push(await round(senders[index] as ChildProcess, deliveries))
      }
    }
  } finally {
    for (const child of [sink, ...senders]) child.disconnect()
  }
  const [bare = 0, pinned = 0, resolved = 0] = samples.map(median)
  const row = (name: string, us: number, budget: string) =>
    `| ${name} | ${us.toFixed(1)} | ${(us / bare).toFixed(2)} | ${budget} |`
  return [
    '| delivery over a kept connection | us CPU | beside bare | budget |',
    '|---|---:|---:|---:|',
    row('bare `Pool.request`', bare, 'none'),
    row('checked and pinned', pinned, '<= 1.40'),
    row('checked and pinned, name resolved by the system', resolved, 'none')
  ]
}

export const delivery: Measurement = { name: 'delivery', measure }

async function startSender(side: string, port: number): Promise<ChildProcess> {
  const child = start('./delivery-sender.js', side, String(port))
  await said(child)
  return child
}

/** The next word of a child, or its end. */
function said<Word>(child: ChildProcess): Promise<Word> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a child process ended with code ${code}`))
    child.once('exit', ended)
    child.once('message', (word) => {
      child.off('exit', ended)
      resolve(word as Word)
    })
  })
}

function start(file: string, ...args: string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' }
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { env })
}

function round(sender: ChildProcess, deliveries: number): Promise<number> {
  const answer = said<number>(sender)
  sender.send(deliveries)
  return answer
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
