/** I4: a stop as a balancer sees it, in a real process: first not ready, and served on; then closed. */
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { SocketClient } from '../support/socket-client.ts'
import { startServed } from './served-process.ts'

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

async function ask(agent: Agent, port: number, path: string): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet({ agent, port, path, host: '127.0.0.1' }, resolve).on('error', reject)
  })
  let body = ''
  for await (const text of answer.setEncoding('utf8')) body += text
  return { status: answer.statusCode, connection: answer.headers.connection, body }
}

function keepingAgent(t: Test): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return agent
}

t.test('I4: readiness is 503 at once, requests are served on, their connections end', async (t) => {
  const { running, port } = await startServed(t, { server: { drainDelayMs: 120_000 } })
  const agent = keepingAgent(t)
  t.match(await ask(agent, port, '/svc/ops/health/ready'), { status: 200, connection: 'keep-alive' })
  const client = await SocketClient.opened(port, '/echo')
  process.kill(running.pid, 'SIGTERM')
  await running.shows(/answers requests for another 120000 ms/)
  t.match(await ask(agent, port, '/svc/ops/health/ready'), { status: 503, connection: 'close' }, 'on a kept connection')
  t.match(await ask(agent, port, '/svc/ops/health/live'), { status: 200 }, 'it lives')
  for (let time = 0; time < 3; time += 1) {
    t.match(await ask(agent, port, '/'), { status: 200, connection: 'close', body: '{"ok":true}' })
  }
  t.equal(await client.ask('7'), '7', 'a socket is served on')
  t.notMatch(running.output, /closing/)
  client.close()
  process.kill(running.pid, 'SIGTERM')
  t.equal((await running.finished()).code, 1, 'a second signal ends it at once')
})

t.test('I4: after the delay it closes: sockets are told, what runs is finished, exit code 0', async (t) => {
  const { running, port } = await startServed(t, { server: { drainDelayMs: 1 } })
  const client = await SocketClient.opened(port, '/echo')
  const slow = ask(keepingAgent(t), port, '/slow')
  await running.shows(/slow began/)
  process.kill(running.pid, 'SIGTERM')
  t.match(await slow, { status: 200, body: '{"slow":"finished"}' })
  t.match(await client.closed, { code: 1001 })
  t.equal((await running.finished()).code, 0)
  // The log and the output of the application are written each at its own time.
  t.match(running.output, /answers requests for another 1 ms/)
  t.match(running.output, /closing[\s\S]*closed/)
})

t.test('I4: an error that nothing handles does not wait for the delay', async (t) => {
  const { running, get } = await startServed(t, { server: { drainDelayMs: 120_000 } })
  process.kill(running.pid, 'SIGTERM')
  await running.shows(/answers requests for/)
  await get('/rejects').catch(() => undefined)
  t.equal((await running.finished()).code, 1)
  t.match(running.output, /closed/)
})
