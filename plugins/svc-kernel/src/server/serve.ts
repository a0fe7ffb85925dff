/** Runs an application as a server of its own: boot, listen, and stop without cutting requests. */
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Application } from '../modules/application.ts'
import type { ModuleEntry } from '../modules/define-config.ts'
import { pluginMeta } from '../modules/define-plugin.ts'
import { locateProblems } from '../modules/locate-problems.ts'
import { runningMode } from '../modules/running-mode.ts'
import { formatProblems } from '../problems/format-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { problemsOf } from '../problems/problems-of.ts'
import { attachTls } from './attach-tls.ts'
import { DevLog } from './dev-log.ts'
import { closeGraceMs, createServer } from './http.ts'
import { httpsTarget } from './https-target.ts'
import { type ListenTarget, listenProblem } from './listen-problem.ts'
import { readsDevLog } from './logging.ts'
import { nodeVersionProblem } from './node-version.ts'
import { startBanner } from './start-banner.ts'
import { terminalPaint } from './terminal-paint.ts'
import type { TlsListener } from './tls-listener.ts'

/** Where an application listens: its own choice, else 127.0.0.1:5151. */
export function listenTarget({ config }: Application): ListenTarget {
  return { host: config.server?.host ?? '127.0.0.1', port: config.server?.port ?? 5151 }
}

/** Module names in load order. */
export function moduleNames({ config }: Application): string[] {
  return config.modules.map((entry: ModuleEntry) => pluginMeta(typeof entry === 'function' ? entry : entry[0]).name)
}

/** Prints problems to standard error in the one shape, and ends the process with exit code 1. */
export function refuseToStart(problems: readonly Problem[]): never {
  process.stderr.write(`${formatProblems(problems, terminalPaint(process.stderr))}\n`)
  process.exit(1)
}

/**
 * Boots and listens. Problems are printed and end the process with code 1.
 * SIGINT and SIGTERM finish what runs, within `server.closeGraceMs`; a second signal exits at once.
 *
 * @param command how it was started, for the hints: `npm start`
 */
export async function serve(app: Application, command = 'npm start'): Promise<FastifyInstance> {
  const old = nodeVersionProblem(process.versions.node)
  if (old !== null) refuseToStart([old])
  const devLog = new DevLog()
  const { fastify, tls } = await boot(app, devLog)
  // Before the ports open: whoever sees one open may ask the process to stop.
  stopWithGrace(fastify, app)
  const urls = await openPorts(app, fastify, tls, command)
  if (readsDevLog(app.config)) process.stdout.write(`${banner(app, urls.join(' and '), devLog.warnings)}\n`)
  return fastify
}

interface Booted {
  readonly fastify: FastifyInstance
  readonly tls: TlsListener | undefined
}

async function boot(app: Application, devLog: DevLog): Promise<Booted> {
  try {
    return await locateProblems(app, async () => {
      const fastify = await createServer(app, { devLog })
      const tls = httpsTarget(app) === null ? undefined : await attachTls(fastify, app)
      await fastify.ready()
      return { fastify, tls }
    })
  } catch (error) {
    refuseToStart(problemsOf(error))
  }
}

async function openPorts(
  app: Application,
  fastify: FastifyInstance,
  tls: TlsListener | undefined,
  command: string
): Promise<string[]> {
  const plain = listenTarget(app)
  const secure = httpsTarget(app)
  let opening = plain
  try {
    const forPerson = readsDevLog(app.config)
    // The banner says where; the line of the log that says the same stays empty, and unseen.
    const urls = [await fastify.listen(forPerson ? { ...plain, listenTextResolver: () => '' } : plain)]
    if (tls !== undefined && secure !== null) {
      opening = secure
      urls.push(await tls.listen(secure))
      if (!forPerson) fastify.log.info(`Server listening at ${urls[1]}`)
    }
    return urls
  } catch (error) {
    await fastify.close()
    const problem = await listenProblem(error, opening, command)
    refuseToStart(problem === null ? problemsOf(error) : [problem])
  }
}

function stopWithGrace(fastify: FastifyInstance, app: Application): void {
  closeWithGrace({ delay: closeGraceMs(app), logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'stopping after an error nobody handled')
    await fastify.close()
  })
}

/** The start banner of an application. */
export function banner(app: Application, url: string, warnings: number): string {
  return startBanner(
    {
      name: app.config.name ?? 'app',
      mode: app.config.mode ?? runningMode(),
      url,
      modules: moduleNames(app),
      warnings
    },
    terminalPaint(process.stdout)
  )
}
