/**
 * Runs the application from its sources: Vite compiles each file when it is
 * asked for and remembers the result. `forget()` makes every file run again,
 * so that a reload never meets a class or a registration of the code before it.
 */
import { readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import type { Application } from 'svc-host'
import { importHost, importKernel } from './app-packages.ts'
import { applicationOf, configOf, entryOf } from './find-application.ts'
import { transformProblem } from './transform-problem.ts'
import { createViteServer, importVite, modulesThatRunOnce } from './vite.ts'

export type FileEvent = 'add' | 'change' | 'unlink'

export interface ModuleRunner {
  /** Imports a source file by absolute path. */
  importModule(path: string): Promise<Record<string, unknown>>
  importApplication(): Promise<Application>
  /** Forgets what ran; what was compiled stays. */
  forget(): void
  /** Whether a file is part of what ran. */
  isLoaded(path: string): boolean
  close(): Promise<void>
}

/**
 * @param onFile called for every file that changes below the root; without it nothing is watched
 */
export async function openModuleRunner(
  root: string,
  onFile?: (event: FileEvent, path: string) => void
): Promise<ModuleRunner> {
  const [vite, evaluatedModules, { BootError }, host] = await Promise.all([
    importVite(root),
    modulesThatRunOnce(root),
    importKernel(root),
    importHost(root)
  ])
  const began = Date.now()
  const server = await createViteServer(vite, root, onFile !== undefined)
  const environment = server.environments.ssr
  const runner = vite.createServerModuleRunner(environment, { hmr: false, evaluatedModules })
  const changed = (event: FileEvent, path: string): void => {
    const isNew = secondLook.note(path)
    if (event === 'change' && !isNew) return
    environment.moduleGraph.onFileChange(path)
    onFile?.(event, path)
  }
  const secondLook = new SecondLook((path) => changed('change', path))
  server.watcher.on('all', (event, path) => {
    if (event !== 'addDir' && event !== 'unlinkDir') changed(event as FileEvent, path)
  })
  server.watcher.once('ready', () => {
    const folders = Object.keys(server.watcher.getWatched()).filter((path) => `${path}${sep}`.startsWith(root + sep))
    const present = folders.flatMap(pathsIn)
    // What ran may be gone by now; helpers of the compiler are no files.
    const loaded = [...environment.moduleGraph.fileToModulesMap.keys()].filter(isAbsolute)
    for (const path of new Set([...present, ...loaded])) if (isChangedSince(path, began)) changed('change', path)
  })

  async function importModule(path: string): Promise<Record<string, unknown>> {
    try {
      return await runner.import(path)
    } catch (error) {
      const problem = transformProblem(error, root)
      throw problem === null ? error : new BootError([problem], { cause: error })
    }
  }

  /** What the config itself throws may come of a comma that it lacks. */
  async function explained(error: unknown): Promise<never> {
    const text = error instanceof TypeError ? await host.readConfigText(configOf(root)) : undefined
    const problem = text === undefined ? null : host.missingCommaProblem(text)
    throw problem === null ? error : new BootError([problem], { cause: error })
  }

  return {
    importModule,
    async importApplication() {
      secondLook.read((path) => environment.moduleGraph.onFileChange(path))
      const entry = entryOf(root)
      return applicationOf(await importModule(entry).catch(explained), entry)
    },
    forget: () => runner.clearCache(),
    isLoaded: (path) => (environment.moduleGraph.getModulesByFile(path)?.size ?? 0) > 0,
    async close() {
      secondLook.close()
      await runner.close()
      await server.close()
    }
  }
}

/** A little more than the watcher's own silence, in milliseconds. */
const LATER_MS = 75

/**
 * The watcher does not report a second change of a file within 50 ms of the first, such as a formatter's after a save. So
 * each changed file is checked once more when that time is over, and what was missed is reported. On a busy machine the
 * watcher reports late what has been read since: that is no news.
 */
class SecondLook {
  readonly #missed: (path: string) => void
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  /** Of each file that changed: as it was when its change was reported, or read after that. */
  readonly #seen = new Map<string, string | null>()

  constructor(missed: (path: string) => void) {
    this.#missed = missed
  }

  /** Call when the watcher reports a change, before the file is read. @returns whether it has changed since it was seen */
  note(path: string): boolean {
    clearTimeout(this.#waiting.get(path))
    const timer = setTimeout(() => {
      this.#waiting.delete(path)
      if (stampOf(path) !== this.#seen.get(path)) this.#missed(path)
    }, LATER_MS)
    this.#waiting.set(path, timer.unref())
    const stamp = stampOf(path)
    const isNew = stamp !== this.#seen.get(path)
    this.#seen.set(path, stamp)
    return isNew
  }

  /**
   * Files are read from now on: what has been written since their change was reported is no news later.
   *
   * @param changed called for each file that has been written since, whose compiled code is stale
   */
  read(changed: (path: string) => void): void {
    for (const path of this.#waiting.keys()) {
      const stamp = stampOf(path)
      if (stamp === this.#seen.get(path)) continue
      this.#seen.set(path, stamp)
      changed(path)
    }
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }
}

/** What is in a folder; nothing in one that is gone or cannot be read. */
function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Whether a file was written, put there or removed since. */
function isChangedSince(path: string, ms: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined || (stat.isFile() && stat.ctimeMs > ms)
}

/** Time to the nanosecond and size; a file that is gone has none. */
function stampOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.mtimeNs} ${stat.size}`
}
