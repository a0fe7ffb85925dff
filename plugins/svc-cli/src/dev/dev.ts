/**
 * `svc dev`: serves the application from its sources and takes every edit over
 * while it serves. Its ports are opened once and never close in between.
 */
import type { Server } from 'node:http'
import { relative } from 'node:path'
import type { ListenTarget } from 'svc-host'
import { terminalPaint } from 'svc-kernel/host'
import { type Host, hasClient, importHost, importKernel } from '../application/app-packages.ts'
import { findRoot, scriptOf } from '../application/find-application.ts'
import { openModuleRunner } from '../application/module-runner.ts'
import { assumeMode, restoreSnapshot, takeSnapshot, wantsStacks } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { DevReport } from './dev-report.ts'
import { FrontServer } from './front-server.ts'
import { Generation } from './generation.ts'
import { reloadLog } from './reload-log.ts'
import { Reloader } from './reloader.ts'
import { makeStartAdmin, startLines } from './start-admin.ts'
import { TypeCheck } from './type-check.ts'
import { mattersToApp, mattersToTypes } from './watched-files.ts'

const COMMAND = 'svc dev'

/** How long the code before an edit may finish what it began, unless the application says. */
const GRACE_MS = 10_000

export interface DevOptions extends AppOptions {
  /** Identifier of an administrator, with a password of this start. */
  admin?: string
}

export async function dev(options: DevOptions): Promise<void> {
  const typedIn = process.cwd()
  const root = findRoot(options.root, COMMAND)
  process.chdir(root)
  assumeMode('development')
  const environment = takeSnapshot()
  let reloader: Reloader | undefined
  let typeCheck: TypeCheck | undefined
  const [kernel, host, runner] = await Promise.all([
    importKernel(root),
    importHost(root),
    openModuleRunner(root, (_event, path) => {
      if (mattersToApp(root, path, runner.isLoaded(path))) reloader?.changed(path)
      if (mattersToTypes(root, path)) typeCheck?.after('edit')
    })
  ])
  const report = new DevReport(root, options.verbose === true || wantsStacks())
  const devLog = reloadLog(host)
  let front: FrontServer | undefined
  let opened: readonly ListenTarget[] = []
  const mapRoutes = async ({ fastify, routes }: Generation): Promise<void> => {
    if (!hasClient(root)) return
    const { writeRouteMap } = await import('../client/client.ts')
    const problems = await writeRouteMap({ root, fastify, routes, importModule: (path) => runner.importModule(path) })
    for (const problem of problems) report.warn(problem)
  }

  reloader = new Reloader({
    renew() {
      restoreSnapshot(environment)
      runner.forget()
      devLog.reset()
      return kernel.renewRegistries()
    },
    importApplication: () => runner.importApplication(),
    async open(app) {
      devLog.brief = front !== undefined
      try {
        return await Generation.open(host, app, { importModule: (path) => runner.importModule(path), devLog })
      } finally {
        devLog.brief = false
      }
    },
    onReady(next, files, tookMs) {
      if (front === undefined) return
      mapRoutes(next).catch((error: unknown) => report.unhandled(error))
      const previous = front.swap(next)
      report.reloaded(files, tookMs, devLog.warnings)
      warnOfNewAddress(opened, targetsOf(host, next), report)
      previous.retire(1012, graceOf(next)).catch((error: unknown) => report.unhandled(error))
    },
    onFailure: (error, files) => report.failed(error, files),
    now: () => performance.now()
  })

  try {
    const first = await reloader.first()
    await mapRoutes(first)
    front = new FrontServer(first)
    opened = targetsOf(host, first)
    const urls = await listen(host, front, opened)
    print(host.banner(first.app, urls.join(' and '), devLog.warnings))
    if (options.admin !== undefined) {
      const password = await makeStartAdmin(first.fastify, options.admin)
      const facts = { url: urls[0] ?? '', identifier: options.admin, password, folder: relative(typedIn, root) }
      print(startLines(first.fastify, facts, terminalPaint(process.stdout)))
    }
  } catch (error) {
    await front?.close(0)
    await runner.close()
    throw error
  }

  const serving = front
  reloader.serving()
  typeCheck = new TypeCheck(root, (faults) => report.types(faults))
  typeCheck.after('start')
  process.on('uncaughtException', (error) => report.unhandled(error))
  onStopSignal(async () => {
    typeCheck?.stop()
    report.stopping(serving.current.running)
    await reloader.stop()
    await serving.close(graceOf(serving.current))
    await runner.close()
  })
}

/** The plain address, and that of https where it is on. */
function targetsOf(host: Host, { app }: Generation): readonly ListenTarget[] {
  const secure = host.httpsTarget(app)
  return [host.listenTarget(app), ...(secure === null ? [] : [secure])]
}

async function listen(host: Host, front: FrontServer, [plain, secure]: readonly ListenTarget[]): Promise<string[]> {
  const urls: string[] = []
  if (plain !== undefined) urls.push(await explained(host, plain, front.listen(plain.host, plain.port)))
  if (secure !== undefined) {
    const certificate = await host.httpsCertificate(front.current.app)
    const open = (server: Server) => new host.TlsListener(certificate, server)
    urls.push(await explained(host, secure, front.listenTls(open, secure)))
  }
  return urls
}

async function explained(host: Host, target: ListenTarget, listening: Promise<string>): Promise<string> {
  try {
    return await listening
  } catch (error) {
    const problem = await host.listenProblem(error, target, scriptOf(COMMAND))
    throw problem === null ? error : new CommandError(problem, 1, { cause: error })
  }
}

function warnOfNewAddress(opened: readonly ListenTarget[], wanted: readonly ListenTarget[], report: DevReport): void {
  const [before, now] = [opened, wanted].map((targets) =>
    targets.map(({ host, port }) => `${host}:${port}`).join(' and ')
  )
  if (before === now) return
  report.warn({
    code: 'SVC_DEV_ADDRESS',
    message: `the address is now ${now}, but the port that is open stays ${before}`,
    at: 'server.host, server.port, server.https',
    fix: 'stop the server and start it again'
  })
}

function graceOf({ app }: Generation): number {
  return app.config.server?.closeGraceMs ?? GRACE_MS
}

/** Ctrl-C and its kin: the first signal stops in good order, the second at once. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param stop is awaited; the process then ends with code 0, or 1 when it throws */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        () => process.exit(1)
      )
    })
  }
}
