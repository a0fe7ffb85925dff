/**
 * Sends the same message over and over, as a child process that reports its own
 * CPU time. `bare` is `Pool.request` of undici; `pinned` is the transport, which
 * checks URL and addresses before each attempt; `resolved` is the transport with
 * the system's resolver in place of a fixed answer.
 */
import { systemClock } from 'svc-kernel'
import { createTransport, systemLookup } from 'svc-webhooks'
import { Pool } from 'undici'

const IN_FLIGHT = 8

const [side, port] = process.argv.slice(2)
const body = Buffer.from(JSON.stringify({ id: 'msg_AAAAAAAAAAAAAAAAAAAAAA', data: 'x'.repeat(450) }))
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Svc-Webhooks/1.0',
  'webhook-id': 'msg_AAAAAAAAAAAAAAAAAAAAAA',
  'webhook-timestamp': '1767225600',
  'webhook-signature': 'v1,IIKiPFTGCBAw6WuzNp16jSAkTYqEdA8pSSDBUUM9Llw='
}
const loopback = [{ address: '127.0.0.1', family: 4 }]

function bareSender(): () => Promise<void> {
  const pool = new Pool(`http://hooks.example.com:${port}`, {
    connections: IN_FLIGHT,
    connect: { lookup: (_host, _options, done) => done(null, loopback) }
  })
  return async () => {
    const answer = await pool.request({ method: 'POST', path: '/in', headers, body })
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    await answer.body.text()
  }
}

function pinnedSender(host: string, lookup: (host: string) => Promise<readonly { address: string; family: number }[]>) {
  const policy = { allowHttp: true, denyPrivateIps: true, allowCidrs: ['127.0.0.1/32', '::1/128'] }
  const transport = createTransport({ policy, lookup, clock: systemClock, maxConnections: IN_FLIGHT })
  const request = { url: `http://${host}:${port}/in`, headers, body }
  return async () => {
    const result = await transport.send(request, 10_000)
    if (result.kind !== 'answered' || result.status !== 200) throw new Error(JSON.stringify(result))
  }
}

const senders: Record<string, () => () => Promise<void>> = {
  bare: bareSender,
  pinned: () => pinnedSender('hooks.example.com', async () => loopback),
  resolved: () => pinnedSender('localhost', systemLookup)
}
const send = senders[side ?? '']?.()
if (send === undefined) throw new Error(`no such sender: ${side}`)

process.on('message', async (count: number) => {
  const before = process.cpuUsage()
  const worker = async () => {
    for (let sent = 0; sent < count / IN_FLIGHT; sent += 1) await send()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  const { user, system } = process.cpuUsage(before)
  process.send?.((user + system) / count)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
