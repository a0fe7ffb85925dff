/**
 * Whether the time of a failed login says why it failed: wall-clock time as a caller
 * sees it, one request at a time over one connection, causes in random order. Each
 * cause is compared with a wrong password. Prints a Markdown table.
 *
 *   npm run bench -- logins     200 of each cause, by each way in
 *   npm run bench -- logins 50  50 of each
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { MeasuredChild } from '../measured/measured-child.ts'
import { causes, ways } from './failures.ts'
import { overlap } from './overlap.ts'

const [count = 200] = process.argv.slice(2).map(Number)
const WARM_UP = 5

const server = await MeasuredChild.start('../logins/login-server.js')
const socket = connect({ host: '127.0.0.1', port: server.port, noDelay: true })
process.stdout.write(`Node ${process.versions.node}, ${count} of each cause, interleaved\n\n`)
process.stdout.write('| way in | cause | median, ms | p10-p90 | AUC | 95 % interval |\n|---|---|---:|---:|---:|---:|\n')
try {
  await once(socket, 'connect')
  for (const [way, request] of Object.entries(ways)) {
    const samples = await measured(causes.map(([, name, password]) => request(name, password)))
    for (const [index, [cause]] of causes.entries()) report(way, cause, samples[index] ?? [], samples[0] ?? [])
  }
} finally {
  socket.destroy()
  await server.stop()
}

function report(way: string, cause: string, times: readonly number[], reference: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)
  const { auc, low, high } = overlap(reference, times)
  const compared = times === reference ? ['', ''] : [auc.toFixed(3), `${low.toFixed(3)}-${high.toFixed(3)}`]
  process.stdout.write(`| ${[way, cause, at(0.5), `${at(0.1)}-${at(0.9)}`, ...compared].join(' | ')} |\n`)
}

/** @returns milliseconds, per request form */
async function measured(requests: readonly Buffer[]): Promise<number[][]> {
  const samples: number[][] = requests.map(() => [])
  for (let round = -WARM_UP; round < count; round += 1) {
    for (const index of shuffled(requests.length)) {
      const took = await timed(socket, requests[index] as Buffer)
      if (round >= 0) samples[index]?.push(took)
    }
  }
  return samples
}

async function timed(connection: Socket, request: Buffer): Promise<number> {
  const answered = once(connection, 'data')
  const began = process.hrtime.bigint()
  connection.write(request)
  const [answer] = (await answered) as [Buffer]
  const took = Number(process.hrtime.bigint() - began) / 1e6
  if (!answer.toString('latin1').startsWith('HTTP/1.1 401')) throw new Error(answer.toString('latin1'))
  return took
}

function shuffled(length: number): number[] {
  const order = Array.from({ length }, (_, index) => index)
  for (let last = length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    ;[order[last], order[other]] = [order[other] as number, order[last] as number]
  }
  return order
}
