/**
 * What a hostile body costs: a megabyte of keys that no schema knows, twenty at once.
 * The heap of the server is bounded to 64 MB, but for the generated create: it takes
 * a megabyte, and twenty of them parsed at once need more. CPU time of the server
 * process per request, bytes of the longest answer. Prints a Markdown table.
 *
 *   npm run bench -- hostile-bodies    20 rounds of each case
 *   npm run bench -- hostile-bodies 5  5 rounds
 */
import { connect } from 'node:net'
import { MeasuredChild } from '../measured/measured-child.ts'

const [rounds = 20] = process.argv.slice(2).map(Number)
const AT_ONCE = 20
const WARM_UP = 2
const API = '/svc/security/api'

const unknownKeys = (bytes: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: Math.floor(bytes / 13) }, (_, n) => [`k${100_000 + n}`, 10])))

const cases: ReadonlyArray<[path: string, body: string]> = [
  [`${API}/auth/login`, unknownKeys(1_000_000)],
  [`${API}/auth/login`, unknownKeys(8_000)],
  [`${API}/token`, unknownKeys(1_000_000)],
  [`${API}/token/refresh`, unknownKeys(1_000_000)],
  [`${API}/token/revoke`, unknownKeys(1_000_000)],
  ['/api/articles', unknownKeys(1_000_000)]
]

const SMALL_HEAP = '--max-old-space-size=64'
process.env.NODE_OPTIONS = SMALL_HEAP
let server = await MeasuredChild.start('../hostile-bodies/hostile-server.js')
process.stdout.write(`Node ${process.versions.node}, ${rounds} rounds of ${AT_ONCE} at once\n\n`)
process.stdout.write('| route | body, bytes | answer | ms CPU per request | longest answer, bytes |\n')
process.stdout.write('|---|---:|---|---:|---:|\n')
for (const [path, body] of cases) {
  if (!path.startsWith(API) && process.env.NODE_OPTIONS === SMALL_HEAP) {
    await server.stop()
    process.env.NODE_OPTIONS = ''
    server = await MeasuredChild.start('../hostile-bodies/hostile-server.js')
  }
  for (let round = 0; round < WARM_UP; round += 1) await burst(path, body)
  const { cpuUs: before } = await server.read()
  let [longest, status] = [0, '']
  for (let round = 0; round < rounds; round += 1) {
    for (const answer of await burst(path, body)) {
      longest = Math.max(longest, answer.length)
      status = answer.slice(9, 12) || status
    }
  }
  const { cpuUs } = await server.read()
  const each = ((cpuUs - before) / 1000 / rounds / AT_ONCE).toFixed(2)
  process.stdout.write(`| ${[path, body.length, status, each, longest].join(' | ')} |\n`)
}
await server.stop()

function burst(path: string, body: string): Promise<string[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, () => exchange(path, body)))
}

/** Sends the whole body, as long as the server takes it; one that has answered may reset the rest. */
async function exchange(path: string, body: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: server.port })
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  await closed
  return answer
}
