/**
 * Measures what an idle socket costs its server: resident bytes per open socket, of svc-realtime for visitors and for
 * sessions, beside a bare @fastify/websocket, each in a process of its own and the clients in this one. A first share of
 * sockets is open before the first reading, so that what the process takes once is not counted.
 *
 *   npm run bench -- sockets       10000 sockets, after 2000
 *   npm run bench -- sockets 2000  2000 sockets, after 2000
 */
import { MeasuredChild } from '../measured/measured-child.ts'
import type { Reading } from '../measured/measured-server.ts'
import { closeSockets, openSockets } from './open-sockets.ts'

const count = Number(process.argv[2] ?? 10_000)
const FIRST = 2000
const PATH = '/svc/realtime'

/** What a browser says besides, and a server has to read. */
const BROWSER = {
  pragma: 'no-cache',
  'cache-control': 'no-cache',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits'
}

interface Side {
  readonly name: string
  readonly server: string
  readonly session: boolean
}

const SIDES: readonly Side[] = [
  { name: 'bare @fastify/websocket', server: 'raw-server.js', session: false },
  { name: 'svc-realtime, visitors', server: 'svc-server.js', session: false },
  { name: 'svc-realtime, sessions', server: 'svc-server.js', session: true }
]

process.stdout.write(`Node ${process.versions.node}, ${count} sockets\n\n`)
process.stdout.write('| side | resident, KiB per socket | heap, KiB | buffers, KiB | CPU to open, us |\n')
process.stdout.write('|---|---:|---:|---:|---:|\n')
for (const side of SIDES) process.stdout.write(`${await measure(side)}\n`)

async function measure({ name, server, session }: Side): Promise<string> {
  const child = await MeasuredChild.start(`../sockets/${server}`)
  try {
    const headers = { ...BROWSER, ...(session ? await credentials(child.port) : {}) }
    const first = await openSockets(child.port, PATH, FIRST, headers)
    const before = await child.read()
    const sockets = await openSockets(child.port, PATH, count, headers)
    const after = await child.read()
    await closeSockets([...first, ...sockets])
    const each = (field: keyof Reading) => (after[field] - before[field]) / count
    const kib = (field: keyof Reading) => (each(field) / 1024).toFixed(1)
    return `| ${name} | ${kib('rssBytes')} | ${kib('heapBytes')} | ${kib('bufferBytes')} | ${each('cpuUs').toFixed(0)} |`
  } finally {
    await child.stop()
  }
}

/** What a browser of the same origin presents. */
async function credentials(port: number): Promise<Record<string, string>> {
  const origin = `http://127.0.0.1:${port}`
  const answer = await fetch(`${origin}/credentials`)
  return { origin, host: new URL(origin).host, ...((await answer.json()) as Record<string, string>) }
}
