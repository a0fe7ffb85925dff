/** `npm start` in this repository, as a newcomer has it, with a folder of its own in place of `.demo`. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, repository } from '../support/svc-command.ts'

export class Demonstration {
  readonly folder: string
  readonly port: number
  readonly #t: Test

  private constructor(t: Test, folder: string, port: number) {
    this.#t = t
    this.folder = folder
    this.port = port
  }

  static async prepare(t: Test): Promise<Demonstration> {
    const parent = await temporaryFolder(t)
    await symlink(join(repository, 'node_modules'), join(parent, 'node_modules'))
    return new Demonstration(t, join(parent, '.demo'), await freePort())
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** `npm start -- ...`, stopped with the test. */
  start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Running {
    const command = ['start', '--silent', '--', ...args, '--root', this.folder]
    const running = new Running('npm', command, { cwd: repository, env: { PORT: String(this.port), ...env } })
    this.#t.teardown(() => running.stop('SIGKILL'))
    return running
  }

  /** As its user reads it from the terminal. */
  async signIn(running: Running): Promise<{ name: string; password: string }> {
    const [, name = '', password = ''] = await running.shows(/sign in as (\S+), password (\S+)\n/)
    return { name, password }
  }
}
