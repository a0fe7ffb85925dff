/**
 * What the commands use of Vite. The application brings Vite itself, as a
 * development dependency; production never has it, so nothing here names its types.
 */
import { importFrom } from './app-packages.ts'

/** The imports and exports of a source text. Offsets are those of the text. */
export interface ParsedModule {
  readonly staticImports: readonly ParsedStatement[]
  readonly staticExports: ReadonlyArray<{ readonly start: number; readonly entries: readonly ParsedExport[] }>
}

export interface ParsedStatement {
  readonly start: number
  readonly end: number
  readonly moduleRequest: { readonly value: string; readonly start: number; readonly end: number }
  readonly entries: readonly ParsedImport[]
}

export interface ParsedImport {
  readonly importName: { readonly kind: string; readonly name: string | null }
  readonly localName: { readonly value: string }
  readonly isType: boolean
}

interface ParsedExport {
  readonly moduleRequest: { readonly value: string } | null
  readonly importName: { readonly name: string | null }
}

/** A source text as its parser sees it. */
export interface ParsedSource {
  readonly errors: readonly unknown[]
  readonly module: ParsedModule
}

export interface Vite {
  parseSync(path: string, text: string): ParsedSource
  createServer(options: object): Promise<ViteServer>
  createServerModuleRunner(environment: ViteEnvironment, options: { hmr: false; evaluatedModules: object }): ViteRunner
}

export interface ViteServer {
  readonly environments: { readonly ssr: ViteEnvironment }
  readonly watcher: {
    on(event: 'all', listener: (event: string, path: string) => void): unknown
    /** Every folder is looked at; nothing is reported before. */
    once(event: 'ready', listener: () => void): unknown
    /** By folder: what the watcher found in it, which may lack what was added meanwhile. */
    getWatched(): Readonly<Record<string, readonly string[]>>
  }
  close(): Promise<void>
}

export interface ViteEnvironment {
  readonly moduleGraph: {
    /** Forgets what was compiled from the file. */
    onFileChange(path: string): void
    getModulesByFile(path: string): ReadonlySet<unknown> | undefined
    readonly fileToModulesMap: ReadonlyMap<string, unknown>
  }
}

export interface ViteRunner {
  import(path: string): Promise<Record<string, unknown>>
  /** Forgets what was evaluated; what was compiled stays. */
  clearCache(): void
  close(): Promise<void>
}

/** @throws CommandError SVC_NOT_INSTALLED */
export async function importVite(root: string): Promise<Vite> {
  return (await importFrom(root, 'vite')) as Vite
}

/**
 * The modules of a runner, each of which runs once until `clearCache`. Vite hears of a change some milliseconds after its
 * watcher, maybe amid a load, and would run the file again for its next importer: with classes that are declared twice.
 */
export async function modulesThatRunOnce(root: string): Promise<object> {
  const { EvaluatedModules } = (await importFrom(root, 'vite', 'vite/module-runner')) as {
    EvaluatedModules: new () => object
  }
  return new (class extends EvaluatedModules {
    invalidateModule(): void {
      // the load that comes next begins with `clearCache`
    }
  })()
}

/** A server that only compiles: it has no port, no page, no client; and it watches only when asked to. */
export function createViteServer(vite: Vite, root: string, watch: boolean): Promise<ViteServer> {
  return vite.createServer({
    root,
    configFile: false,
    envFile: false,
    appType: 'custom',
    logLevel: 'silent',
    publicDir: false,
    server: {
      middlewareMode: true,
      hmr: false,
      ws: false,
      watch: watch ? { ignored: ['**/dist/**', '**/coverage/**'] } : null
    },
    optimizeDeps: { noDiscovery: true, include: [] },
    // Packages run as they are, also those that a checkout links: there is one copy of each.
    environments: { ssr: { resolve: { external: true } } }
  })
}
