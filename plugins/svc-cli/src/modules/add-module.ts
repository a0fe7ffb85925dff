/**
 * `svc module:add`: lists a module, and what comes along with it, in the config of
 * an application. Where the text cannot be edited with certainty, it says what to write instead.
 */
import { writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { nearestName } from 'svc-kernel/plugin'
import { type AppConfig, readAppConfig } from '../application/app-config.ts'
import { importFrom, importKernel, resolveFrom } from '../application/app-packages.ts'
import { installCommand } from '../application/package-links.ts'
import { writeNewFiles } from '../application/write-new-files.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { insertModule } from './insert-module.ts'
import { KNOWN_MODULES, type KnownModule } from './known-modules.ts'
import { findModuleList, moduleListLine } from './module-list.ts'

export interface AddModuleOptions extends AppOptions {
  dryRun?: true
}

/** @throws CommandError SVC_MODULE_UNKNOWN (2), SVC_MODULE_LISTED, SVC_NOT_INSTALLED, SVC_MODULE_EDIT */
export async function addModule(name: string, options: AddModuleOptions): Promise<void> {
  const asked = knownModule(name)
  const command = `svc module:add ${name}`
  const config = await readAppConfig(options, command)
  const isListed = (module: KnownModule) => config.modules.some((listed) => listed.name === module.package)
  if (isListed(asked)) throw new CommandError(alreadyListed(asked, config))
  const wanted = [...asked.with.map(knownModule), asked].filter((module) => !isListed(module))
  refuseAbsent(config.root, wanted)

  const { text, lines } = await edited(config, wanted)
  const files = wanted.flatMap((module) => module.files ?? [])
  if (options.dryRun !== true) await writeFile(config.file, text)
  print(`EDIT ${relative(process.cwd(), config.file)}`)
  for (const line of lines) print(`  + ${line}`)
  await writeNewFiles(config.root, files, { force: true, dryRun: options.dryRun })
}

/** @throws CommandError SVC_MODULE_UNKNOWN */
function knownModule(name: string): KnownModule {
  const names = Object.keys(KNOWN_MODULES)
  const found = Object.entries(KNOWN_MODULES).find(([word, module]) => word === name || module.package === name)
  if (found !== undefined) return found[1]
  const near = nearestName(name, names)
  throw new CommandError(
    {
      code: 'SVC_MODULE_UNKNOWN',
      message: `there is no module "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      got: name,
      expected: names.join(' | '),
      ...(near === undefined ? {} : { fix: `npx svc module:add ${near}` })
    },
    2
  )
}

function refuseAbsent(root: string, wanted: readonly KnownModule[]): void {
  const absent = wanted.map((module) => module.package).filter((name) => resolveFrom(root, name) === null)
  if (absent.length === 0) return
  throw new CommandError({
    code: 'SVC_NOT_INSTALLED',
    message: `${absent.join(' and ')} ${absent.length === 1 ? 'is' : 'are'} not installed`,
    at: join(root, 'package.json'),
    fix: installCommand(root, absent)
  })
}

/** The text with every module in its place, and the lines that were added. @throws CommandError SVC_MODULE_EDIT */
async function edited(config: AppConfig, wanted: readonly KnownModule[]): Promise<{ text: string; lines: string[] }> {
  const { pluginMeta } = await importKernel(config.root)
  const modules: ListedModule[] = [...config.modules]
  let text: string | null = isAsLoaded(config) ? config.text : null
  for (const module of wanted) {
    const { default: plugin } = (await importFrom(config.root, module.package)) as { default: unknown }
    const added = { name: module.package, after: pluginMeta(plugin).before }
    const place = placeOf(added, modules, module.first === true)
    modules.splice(place, 0, added)
    text = text === null ? null : insertModule(text, module, place)
  }
  const lines = wanted.flatMap(({ local, package: name, entry }) => [`import ${local} from '${name}'`, ...entry])
  if (text !== null) return { text, lines }
  const names = modules.map(({ name }) => name)
  throw new CommandError({
    code: 'SVC_MODULE_EDIT',
    message: `this list of modules cannot be edited safely; nothing was changed`,
    at: `${basename(config.file)}:${moduleListLine(config.text) ?? 1}`,
    expected: `the order ${names.join(', ')}`,
    fix: `add these lines: ${lines.filter((line) => !line.startsWith('//')).join('; ')}`
  })
}

/** Whether the text shows the very list that was loaded. */
function isAsLoaded({ text, modules }: AppConfig): boolean {
  const list = findModuleList(text)
  if (list === null || list.entries.length !== modules.length) return false
  return list.entries.every((entry, index) => {
    if (entry.name === null) return true
    const name = modules[index]?.name ?? ''
    const source = new RegExp(`import\\s+${entry.name.replaceAll('$', '\\$')}\\s+from\\s+['"]([^'"]+)['"]`).exec(
      text
    )?.[1]
    return !name.startsWith('svc-') || source === name
  })
}

function alreadyListed(module: KnownModule, { file, text }: AppConfig) {
  return {
    code: 'SVC_MODULE_LISTED',
    message: `${module.package} is listed already`,
    at: `${basename(file)}:${moduleListLine(text) ?? 1}`,
    fix: 'nothing to do'
  }
}

export interface ListedModule {
  readonly name: string
  /** Plugins that come before it where they are listed. */
  readonly after: readonly string[]
}

/** Where nothing else decides: storage and the audit come before who asks them, controllers stay last. */
const LATE = ['svc-security', 'svc-decorators']

/**
 * The place of a module in the list: after those it needs, before those that need it.
 *
 * @param first whether it comes before everything that it may come before
 * @returns index of the module that will follow it
 */
export function placeOf(module: ListedModule, listed: readonly ListedModule[], first: boolean): number {
  const lowest = listed.findLastIndex(({ name }) => module.after.includes(name)) + 1
  if (first) return lowest
  const needing = listed.findIndex(({ after }) => after.includes(module.name))
  if (needing >= lowest && needing !== -1) return needing
  const late = listed.findIndex(({ name }, index) => index >= lowest && LATE.includes(name))
  return late === -1 ? listed.length : late
}
