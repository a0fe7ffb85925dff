/** The modules of an application as a test loads them: the same list where none of them is svc-security. Pure. */
import type { ModuleEntry } from 'svc-host'
import { pluginMeta } from 'svc-kernel'
import type { ActingAuthenticator } from '../acting/acting-authenticator.ts'
import { admitActing, type SecurityOptions } from '../acting/admit-acting.ts'

export function testModules(modules: readonly ModuleEntry[], acting: ActingAuthenticator): readonly ModuleEntry[] {
  const isSecurity = (entry: ModuleEntry): boolean => {
    return pluginMeta(typeof entry === 'function' ? entry : entry[0]).name === 'svc-security'
  }
  if (!modules.some(isSecurity)) return modules
  return modules.map((entry): ModuleEntry => {
    if (!isSecurity(entry)) return entry
    const [plugin, options = {}] = typeof entry === 'function' ? [entry] : entry
    return [plugin, admitActing(options as SecurityOptions, acting)]
  })
}
