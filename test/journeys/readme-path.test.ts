/**
 * The ten minutes of the README, as its text has them: every command is run, every page is opened in a browser, and what
 * the text says that one sees is looked for. Only the port and the folder are others.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { waitLimit } from '../browser/console/pace.ts'
import { openChromium } from '../support/chromium.ts'
import { Running, repository } from '../support/svc-command.ts'
import { Demonstration } from './demonstration.ts'
import { type Action, commandsOf, guidedPath, type Step } from './guided-path.ts'

const page = await readFile(join(repository, 'README.md'), 'utf8')
const steps = guidedPath(page, 'Ten minutes')

t.test('each step says what to do, and what one sees', async (t) => {
  t.ok(steps.length >= 5)
  for (const { title, actions, unread } of steps) {
    t.strictSame(unread, [], `${title} is understood`)
    const promised = actions.filter((action) => action.do === 'see' || action.do === 'says' || printed(action))
    t.ok(promised.length > 0, title)
  }
})

function printed(action: Action): boolean {
  return action.do === 'run' && action.prints.length > 0
}

t.test('how a text is read', async (t) => {
  const text = [
    '## Path\n\n**1. One.** Open <http://a/b> and sign in. Click\n**x.y**. You see `z`.',
    '\n\n**2. Two.** Save this as `c.ts`. The first terminal says `d`.\n\n```ts file=e\nf\n```\n\nYou see `g`, then `h`:',
    '\n\n```bash\ni \\\n  j\nk\n```\n\nRepeat step 1. Choose **l**.\n\n## Next\n\n**3. Three.** Click **no**.'
  ].join('')
  t.strictSame(guidedPath(`# T\n\n${text}`, 'Path'), [
    {
      title: 'One.',
      actions: [
        { do: 'open', url: 'http://a/b' },
        { do: 'sign in' },
        { do: 'click', name: 'x.y' },
        { do: 'see', text: 'z' }
      ],
      unread: []
    },
    {
      title: 'Two.',
      actions: [
        { do: 'save', path: 'c.ts', code: 'f' },
        { do: 'says', text: 'd' },
        { do: 'run', code: 'i \\\n  j\nk', prints: ['g', 'h'] },
        { do: 'repeat', step: 1 }
      ],
      unread: ['**l**']
    }
  ])
  t.strictSame(commandsOf('i \\\n  j\nk'), ['i j', 'k'])
})

/** The second terminal, and the browser beside it. */
class Reader {
  readonly #t: Test
  readonly #demo: Demonstration
  readonly #server: Running
  readonly #page: Page
  #cwd = repository
  /** A command that goes on while the text does. */
  #listening: Running | undefined

  constructor(t: Test, demo: Demonstration, server: Running, page: Page) {
    this.#t = t
    this.#demo = demo
    this.#server = server
    this.#page = page
  }

  async follow(t: Test, { actions }: Step): Promise<void> {
    for (const action of actions) {
      await this.#act(action)
      t.pass(JSON.stringify(action))
    }
    await this.#listening?.stop('SIGINT')
    this.#listening = undefined
  }

  async #act(action: Action): Promise<void> {
    const page = this.#page
    if (action.do === 'open') await page.goto(this.#here(action.url))
    else if (action.do === 'sign in') await this.#signIn()
    else if (action.do === 'enter') await page.getByLabel(action.label).fill(action.text)
    else if (action.do === 'click') {
      const exact = { name: action.name, exact: true }
      await page.getByRole('link', exact).or(page.getByRole('button', exact)).first().click()
    } else if (action.do === 'see') await this.#see(action.text)
    else if (action.do === 'save') await writeFile(join(this.#cwd, action.path), `${action.code}\n`)
    else if (action.do === 'says') {
      await this.#server.shows(literal(action.text))
      this.#server.forget()
    } else if (action.do === 'run') await this.#run(action)
    else for (const again of steps[action.step - 1]?.actions ?? []) await this.#act(again)
  }

  async #signIn(): Promise<void> {
    const { name, password } = await this.#demo.signIn(this.#server)
    await this.#page.getByLabel('Name').fill(name)
    await this.#page.getByLabel('Password').fill(password)
    await this.#page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await this.#page.getByRole('heading', { level: 1 }).waitFor()
  }

  async #see(text: string): Promise<void> {
    if (this.#listening !== undefined) await this.#listening.shows(literal(text))
    else await this.#page.getByText(text).first().waitFor()
  }

  /** Of the commands only the last may go on, once it has printed what it should. */
  async #run({ code, prints }: Action & { do: 'run' }): Promise<void> {
    let printed = ''
    const wanted = new RegExp(prints.map((text) => literal(text).source).join('[\\s\\S]*'))
    for (const command of commandsOf(code)) {
      const [, folder] = /^cd (\S+)$/.exec(command) ?? []
      if (folder !== undefined) {
        this.#t.equal(folder, '.demo')
        this.#cwd = this.#demo.folder
        continue
      }
      const key = command.includes('the-new-key') ? await this.#newKey() : ''
      const env = { SVC_URL: this.#demo.url }
      const text = this.#here(command).replace('the-new-key', key)
      const running = new Running('sh', ['-c', text], { cwd: this.#cwd, env })
      this.#t.teardown(() => running.stop('SIGKILL'))
      if (/ listen /.test(command)) {
        await running.shows(wanted)
        this.#listening = running
        return
      }
      const { code: exit, stdout, stderr } = await running.finished()
      if (!command.includes(' explain ')) this.#t.equal(exit, 0, `${command}: ${stderr}`)
      printed += `${stdout}\n${stderr}\n`
    }
    this.#t.match(printed, wanted)
  }

  async #newKey(): Promise<string> {
    const dialog = this.#page.getByRole('dialog', { name: 'The new key' })
    return (await dialog.locator('code').textContent()) ?? ''
  }

  #here(text: string): string {
    return text.replaceAll('http://127.0.0.1:5151', this.#demo.url)
  }
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
}

t.test('from npm start to an entity of your own', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const demo = await Demonstration.prepare(t)
  t.match(page, /^```bash\nnpm start\n/m)
  const server = demo.start()
  await demo.signIn(server)
  const context = await browser.newContext({ viewport: { width: 1200, height: 750 } })
  context.setDefaultTimeout(await waitLimit(browser))
  t.teardown(() => context.close())
  const reader = new Reader(t, demo, server, await context.newPage())
  for (const step of steps) await t.test(step.title, (t) => reader.follow(t, step))
})
