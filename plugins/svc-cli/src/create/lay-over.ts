/** Lays a preset over a template that lies in a folder: files that replace, texts that are added to, generated entities, keys. */
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseFields } from './entity-fields.ts'
import { entityNames } from './entity-names.ts'
import { entityFiles } from './entity-source.ts'
import type { Preset } from './preset.ts'

/** What a preset's package.json adds to that of the template. */
export interface PackageAdditions {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Beside `dist/`, in a checkout as in the published package. */
const PRESETS_FOLDER = fileURLToPath(new URL('../../../presets', import.meta.url))

/** Texts that go on where the template's end. */
const CONTINUED = ['README.md', '.env.example']

const FOLDERS = { entities: 'entities', controllers: 'controllers' }

/** What a preset adds to the package.json of the template. */
export async function additionsOf({ overlays }: Preset): Promise<PackageAdditions> {
  const parts = await Promise.all(
    overlays.map(async (overlay) => {
      return JSON.parse(await readFile(join(PRESETS_FOLDER, overlay, 'package.json'), 'utf8')) as PackageAdditions
    })
  )
  return {
    scripts: Object.assign({}, ...parts.map(({ scripts }) => scripts)),
    dependencies: Object.assign({}, ...parts.map(({ dependencies }) => dependencies))
  }
}

export async function layOver(folder: string, preset: Preset): Promise<PackageAdditions> {
  const { overlays, entities, keys } = preset
  for (const { name, fields } of entities) {
    const files = entityFiles(entityNames(name), { ...parseFields(fields), kept: [] }, FOLDERS)
    for (const { path, text } of files) await put(join(folder, path), text)
  }
  if (keys.length > 0) await writeFile(join(folder, '.env'), ownKeys(keys), { mode: 0o600 })
  for (const overlay of overlays) await layFiles(folder, join(PRESETS_FOLDER, overlay))
  return additionsOf(preset)
}

async function layFiles(folder: string, source: string): Promise<void> {
  const found = await readdir(source, { recursive: true, withFileTypes: true })
  for (const entry of found.filter((each) => each.isFile() && each.name !== 'package.json')) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(source, from)
    const text = await readFile(from, 'utf8')
    if (CONTINUED.includes(path)) await appendFile(join(folder, path), text)
    else await put(join(folder, path), text)
  }
}

/** A `.env` for this machine; git ignores it. */
function ownKeys(names: readonly string[]): string {
  const lines = names.map((name) => `${name}=${randomBytes(32).toString('base64')}`)
  return [
    '# Written by `svc create app` for this machine only. Production needs its own keys; see .env.example.',
    ...lines,
    ''
  ].join('\n')
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
