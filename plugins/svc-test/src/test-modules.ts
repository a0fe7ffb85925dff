/** The modules of an application as a test loads them: with the callers, the clock and the outbox of the test. Pure. */
import type { ModuleEntry } from 'svc-host'
import type { Clock, Mode } from 'svc-kernel'
import { pluginMeta } from 'svc-kernel/plugin'
import svcStores from 'svc-stores'
import type { ActingAuthenticator } from './acting/acting-as.ts'
import { admitActing, type SecurityOptions } from './acting/admit-acting.ts'

export interface ModuleParts {
  readonly mode: Mode
  readonly acting: ActingAuthenticator
  /** Of the test; `undefined`: the clock of the machine. */
  readonly clock: Clock | undefined
}

type Options = SecurityOptions

/** Connections to servers, and figures of the process, live by the clock of the machine, whatever the test says. */
const OF_THE_MACHINE = ['svc-sqlorm', 'svc-docdb', 'svc-bullmq', 'svc-ops']

export function testModules(modules: readonly ModuleEntry[], parts: ModuleParts): readonly ModuleEntry[] {
  const { clock } = parts
  const changed = modules.map((entry): ModuleEntry => {
    const [plugin, given = {}] = typeof entry === 'function' ? [entry] : entry
    const name = nameOf(entry)
    const options = withTime(name, withDoubles(name, given as Options, parts), clock)
    return options === given ? entry : [plugin, options]
  })
  // The first plugin that stores records brings the clock of all stores.
  if (clock === undefined || modules.some((entry) => nameOf(entry) === 'svc-stores')) return changed
  return [[svcStores, { parts: { clock } }], ...changed]
}

/** Whether svc-security is among the modules, so that a test may choose its callers. */
export function hasSecurity(modules: readonly ModuleEntry[]): boolean {
  return modules.some((entry) => nameOf(entry) === 'svc-security')
}

function withDoubles(name: string, options: Options, { acting, mode }: ModuleParts): Options {
  if (name === 'svc-security') return admitActing(options, acting)
  if (name !== 'svc-mail' || mode === 'production') return options
  const { transport: _server, parts = {}, ...rest } = options
  const { transport: _brought, ...others } = parts
  return { ...rest, outbox: true, parts: others }
}

function withTime(name: string, options: Options, clock: Clock | undefined): Options {
  if (clock === undefined || !name.startsWith('svc-') || OF_THE_MACHINE.includes(name)) return options
  return { ...options, parts: { clock, ...options.parts } }
}

function nameOf(entry: ModuleEntry): string {
  return pluginMeta(typeof entry === 'function' ? entry : entry[0]).name ?? ''
}
