/** 64 open files, in a real process: connections that cannot be taken are closed, those that are open are served, and the log stays short. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { until } from '../support/until.ts'
import { startServed } from './served-process.ts'

const FILES = 64
const STRANGERS = 150

async function ask(agent: Agent, port: number): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet({ agent, port, host: '127.0.0.1', path: '/' }, resolve).on('error', reject)
  })
  let body = ''
  for await (const text of answer.setEncoding('utf8')) body += text
  return body
}

t.test('64 open files', async (t) => {
  const { running, port, get } = await startServed(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  t.equal(await ask(agent, port), '{"ok":true}')
  execFileSync('prlimit', ['--pid', String(running.pid), `--nofile=${FILES}`])

  let closed = 0
  const strangers: Socket[] = []
  for (let index = 0; index < STRANGERS; index += 1) {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed += 1
    })
    await once(socket, 'connect').catch(() => undefined)
    strangers.push(socket)
  }
  await until(() => closed > STRANGERS - FILES, 'the connections that have no place')
  running.forget()
  for (let time = 0; time < 20; time += 1) t.equal(await ask(agent, port), '{"ok":true}', 'a kept connection is served')

  for (const socket of strangers) socket.destroy()
  await until(() => closed === STRANGERS, 'the end of the others')
  for (let time = 0; time < 5; time += 1) t.equal((await get('/')).status, 200, 'there is room again')
  const lines = running.output.split('\n').filter((line) => /"level":(?:40|50|60)/.test(line))
  t.ok(lines.length <= 1, `${lines.length} lines of warnings and errors: ${lines.join('\n')}`)
})
