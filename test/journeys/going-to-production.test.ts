/**
 * The checklist of the guide "Going to production": each command of its table, in its order, on preset `full`.
 * In the long run: it boots an application for each step.
 */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inRepository } from '../interop/documentation/repository.ts'
import { Shop } from '../support/shop.ts'
import { Running, run } from '../support/svc-command.ts'

interface Step {
  readonly command: string
  /** The first thing that the reader is told to look for. */
  readonly sees: string
}

const guide = readFileSync(inRepository('docs/guides/running-in-production.md'), 'utf8')
const checklist: Step[] = [...guide.matchAll(/^\| \d+ \| `([^`]+)`[^|]* \| ([^|]+) \|$/gm)].map(
  ([, command = '', text = '']) => ({ command, sees: /`([^`]+)`/.exec(text)?.[1] ?? text })
)

class Walk {
  readonly #t: Test
  readonly #shop: Shop
  #server: Running | null = null

  constructor(t: Test, shop: Shop) {
    this.#t = t
    this.#shop = shop
  }

  /** @returns what the step shows */
  async take(command: string): Promise<string> {
    const [word = '', ...words] = command.split(' ')
    if (word === 'npx') return this.#succeeds(() => this.#shop.svc(...words.slice(1)))
    if (word === 'npm') return this.#succeeds(() => run('npm', words, { cwd: this.#shop.folder }))
    if (word === 'NODE_ENV=production') return this.#start(words.slice(1))
    if (word === 'curl') return this.#ask(new URL(words.at(-1) as string).pathname)
    if (word === 'kill') return this.#stop()
    throw new Error(`no step of this test walks: ${command}`)
  }

  async #succeeds(work: () => Promise<{ code: number | null; stdout: string; stderr: string }>): Promise<string> {
    const { code, stdout, stderr } = await work()
    this.#t.equal(code, 0, stdout + stderr)
    return stdout
  }

  async #start(args: readonly string[]): Promise<string> {
    const env = { NODE_ENV: 'production', PORT: String(this.#shop.port) }
    const server = new Running(process.execPath, args, { cwd: this.#shop.folder, env })
    this.#server = server
    this.#t.teardown(() => server.stop('SIGKILL'))
    await server.shows(/Server listening at/)
    for (const line of server.output.trimEnd().split('\n')) JSON.parse(line)
    return server.output
  }

  async #ask(path: string): Promise<string> {
    const answer = await fetch(this.#shop.url + path)
    this.#t.equal(answer.status, 200)
    return answer.text()
  }

  async #stop(): Promise<string> {
    if (this.#server === null) throw new Error('nothing was started')
    process.kill(this.#server.pid, 'SIGTERM')
    return `exit code ${(await this.#server.finished()).code}`
  }
}

t.test('each step shows what the guide says', async (t) => {
  t.equal(checklist.length, 7)
  const shop = await Shop.create(t, 'full')
  const walk = new Walk(t, shop)
  for (const { command, sees } of checklist) {
    const shown = await walk.take(command)
    if (sees !== 'no') t.ok(shown.includes(sees), `${command} shows ${sees}: ${shown}`)
    else t.match(shown, /^messages of svc-realtime +memory +no$/m)
  }
})

t.test('without a key, doctor says so before production does', async (t) => {
  const shop = await Shop.create(t, 'full')
  const file = join(shop.folder, '.env')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^SVC_WEBHOOK_KEY=.*$/m, ''))
  const { code, stderr } = await shop.svc('doctor')
  t.equal(code, 1)
  t.match(stderr, /SVC_WEBHOOK_KEY_MISSING[\s\S]*encryptionKey/)
})
