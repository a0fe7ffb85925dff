/** HAProxy of Debian's packages before several instances, as `docs/guides/several-instances.md` configures it. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/ports.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { repository } from '../../support/svc-command.ts'
import { ServerProcess } from '../campaign/backends/server-process.ts'
import { within } from '../campaign/message-arrives.ts'

/** Between two looks at the readiness of an instance; one that says no is enough, and one that says yes. */
export const CHECK_MS = 200

const PATIENCE_MS = 10_000

const GUIDE = join(repository, 'docs/guides/several-instances.md')

/** @returns the program; `null` where this machine has none */
export function haproxyProgram(): string | null {
  return ['haproxy', '/usr/sbin/haproxy'].find((name) => spawnSync(name, ['-v']).status === 0) ?? null
}

export class Balancer {
  readonly port: number
  readonly #server: ServerProcess
  readonly #folder: string

  private constructor(port: number, server: ServerProcess, folder: string) {
    this.port = port
    this.#server = server
    this.#folder = folder
  }

  /** @param ports of the instances, on this machine */
  static async start(program: string, ports: readonly number[]): Promise<Balancer> {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'svc-balancer-'))
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, configuration(port, ports))
    const answers = async () => {
      const ready = await within(PATIENCE_MS, () =>
        rawExchange(port, rawRequest('GET', '/svc/ops/health/ready')).then(
          ({ status }) => status === 200,
          () => false
        )
      )
      if (!ready) throw new Error('the balancer finds no instance that is ready')
    }
    const server = new ServerProcess(
      () => spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] }),
      answers
    )
    await server.start()
    return new Balancer(port, server, folder)
  }

  async stop(): Promise<void> {
    await this.#server.end('SIGTERM')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The configuration of the guide, for these ports and for checks that are more frequent. */
function configuration(port: number, ports: readonly number[]): string {
  const [, guide = ''] = /```haproxy\n([\s\S]+?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? []
  const servers = ports.map((each, index) => `  server instance${index} 127.0.0.1:${each}`)
  const lines = guide.split('\n').filter((line) => !line.startsWith('  server '))
  return `${[...lines, ...servers].join('\n')}\n`
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('inter 1s', `inter ${CHECK_MS}ms`)
}
