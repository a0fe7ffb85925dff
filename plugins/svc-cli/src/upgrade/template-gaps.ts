/**
 * What a new application would have and an older one lacks: scripts, packages, compiler settings, files. The template is
 * laid down in full, as `svc create app` does it, beside the application that is compared.
 */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PackageFile, readPackage } from '../application/app-packages.ts'
import { appTemplate } from '../create/app-template.ts'
import { draftApp } from '../create/draft.ts'
import { additionsOf } from '../create/lay-over.ts'
import { PRESETS, type Preset } from '../create/preset.ts'

export interface TemplateGap {
  /** Such as `package.json scripts.start`, or the path of a file. */
  readonly what: string
  /** As the template has it; `null` for a file. */
  readonly template: string | null
  /** As the application has it; `null` where it has nothing. */
  readonly here: string | null
}

export interface TemplateGaps {
  /** The preset that the application is most like. */
  readonly preset: string
  readonly gaps: readonly TemplateGap[]
}

/** Files that an application fills, renames or deletes as its own. */
const OWN =
  /^(?:controllers|entities|test|keys|data)\/|^\.env$|^README\.md$|^app\.ts$|^(?:svc\.config|env|database)\.ts$/

export async function templateGaps(root: string): Promise<TemplateGaps> {
  const manifest = readPackage(root)
  const preset = await nearestPreset(manifest)
  const test = 'tap' in (manifest.devDependencies ?? {}) ? 'tap' : 'node'
  const name = manifest.name ?? 'app'
  const draft = await draftApp({ name, target: root, beside: tmpdir(), preset, test })
  try {
    const lacking = draft.files.filter(({ path }) => !OWN.test(path) && !existsSync(join(root, path)))
    return {
      preset: preset.name,
      gaps: [
        ...packageGaps(readPackage(draft.folder), manifest),
        ...compilerGaps(draft.folder, root),
        ...lacking.map(({ path }) => ({ what: path, template: null, here: null }))
      ]
    }
  } finally {
    draft.discard()
  }
}

/** By the svc packages that both have, of all that either has. */
async function nearestPreset(manifest: PackageFile): Promise<Preset> {
  const own = svcPackages(manifest.dependencies)
  const rated = PRESETS.map(async (preset) => {
    const packages = svcPackages({ ...appTemplate().dependencies, ...(await additionsOf(preset)).dependencies })
    const shared = packages.filter((name) => own.includes(name)).length
    return { preset, likeness: shared / new Set([...own, ...packages]).size }
  })
  return (await Promise.all(rated)).reduce((best, next) => (next.likeness > best.likeness ? next : best)).preset
}

function svcPackages(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies).filter((name) => name.startsWith('svc-'))
}

const scriptsOf = ({ scripts }: PackageFile) => scripts as Readonly<Record<string, string>> | undefined

function packageGaps(template: PackageFile, here: PackageFile): TemplateGap[] {
  const scripts = differences('package.json scripts', scriptsOf(template), scriptsOf(here))
  const present = { ...here.dependencies, ...here.devDependencies }
  const absent = (section: 'dependencies' | 'devDependencies'): TemplateGap[] =>
    Object.entries(template[section] ?? {})
      .filter(([name]) => !(name in present))
      .map(([name, range]) => ({ what: `package.json ${section}.${name}`, template: range, here: null }))
  return [...scripts, ...absent('dependencies'), ...absent('devDependencies')]
}

function compilerGaps(draft: string, root: string): TemplateGap[] {
  return differences('tsconfig.json compilerOptions', compilerOptions(draft), compilerOptions(root))
}

/** A configuration with comments, or none, is not compared. */
function compilerOptions(folder: string): Record<string, unknown> | undefined {
  try {
    const { compilerOptions: options } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as {
      compilerOptions?: Record<string, unknown>
    }
    return options
  } catch {
    return undefined
  }
}

function differences(
  place: string,
  template: Readonly<Record<string, unknown>> = {},
  here: Readonly<Record<string, unknown>> | undefined
): TemplateGap[] {
  if (here === undefined) return []
  return Object.entries(template)
    .map(([name, value]) => ({ what: `${place}.${name}`, template: shown(value), here: shownOrNull(here[name]) }))
    .filter((gap) => gap.template !== gap.here)
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const shownOrNull = (value: unknown): string | null => (value === undefined ? null : shown(value))
