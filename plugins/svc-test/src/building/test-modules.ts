/** The modules of an application as a test loads them: the same, with an authenticator of tests in the zones. Pure. */
import { type ModuleEntry, pluginMeta } from 'svc-kernel'
import type { ActingAuthenticator } from '../acting/acting-authenticator.ts'
import { admitActing, type SecurityOptions } from '../acting/admit-acting.ts'

export function testModules(modules: readonly ModuleEntry[], acting: ActingAuthenticator): readonly ModuleEntry[] {
  return modules.map((entry): ModuleEntry => {
    const [plugin, options = {}] = typeof entry === 'function' ? [entry] : entry
    if (pluginMeta(plugin).name !== 'svc-security') return entry
    return [plugin, admitActing(options as SecurityOptions, acting)]
  })
}
