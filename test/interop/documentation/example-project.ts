/**
 * Compiles the TypeScript blocks of the documentation as one project beside
 * the workspace packages. A block is padded with empty lines, so that line
 * numbers of the compiler and of stack traces are those of the page.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Finished, runInHost } from '../../support/command-hosts.ts'
import { plainCommand } from '../../support/plain-command.ts'
import type { CodeBlock, MarkdownPage } from './markdown-page.ts'
import { ROOT } from './repository.ts'

/** Git-ignored, below the packages in the folder tree so that Node and the compiler resolve them. */
const FOLDER = join(ROOT, 'test/dist/documentation-examples')
const TIME_LIMIT_MS = 120_000

export interface Example {
  readonly page: string
  readonly line: number
  readonly block: CodeBlock
  /** Relative to the project's sources. */
  readonly source: string
}

/** The `ts` blocks of a page. `file=<name>` puts a block under that name, where the page's other blocks can import it. */
export function examplesOf(page: MarkdownPage): Example[] {
  const folder = folderOf(page.path)
  return page.blocks
    .filter(({ language }) => language === 'ts')
    .map((block) => {
      const named = block.words.find((word) => word.startsWith('file='))?.slice('file='.length)
      const source = named === undefined ? `${folder}/line-${block.line}/example.ts` : `${folder}/${named}`
      return { page: page.path, line: block.line, block, source }
    })
}

/** Writes all examples and compiles them. Each line of the answer is one complaint, at `page:line`. */
export async function compileExamples(examples: readonly Example[]): Promise<string[]> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(projectConfig(), null, 2))
  for (const { source, line, block } of examples) {
    const path = join(FOLDER, 'src', source)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${'\n'.repeat(line - 1)}${block.code}\n`, { flag: 'wx' })
  }
  const { code, stdout, stderr } = await run(
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '--singleThreaded', '-p', FOLDER],
    ROOT
  )
  if (code === 0) return []
  return `${stdout}${stderr}`.split('\n').filter(Boolean).map(inPages(examples))
}

/** Where the compiled examples of a page lie, those with a `file=` name under it. */
export function compiledFolder(page: string): string {
  return join(FOLDER, 'out', folderOf(page))
}

/** Runs a compiled example in its own folder. */
export function runExample({ source }: Example): Promise<Finished> {
  const path = join(FOLDER, 'out', source.replace(/\.ts$/, '.js'))
  return runInHost({ script: path, cwd: dirname(path), env: environment() }, TIME_LIMIT_MS)
}

/** What an example says it prints: the comment behind each `console.log(...)`, in order. */
export function promisedOutput({ block }: Example): string[] {
  return [...block.code.matchAll(/^\s*console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text = '']) => text)
}

function folderOf(page: string): string {
  return page.replaceAll('/', '__')
}

function projectConfig(): object {
  return {
    extends: relative(FOLDER, join(ROOT, '.config/tsconfig.base.json')),
    compilerOptions: { rootDir: 'src', outDir: 'out', composite: false, declaration: false, declarationMap: false },
    include: ['src']
  }
}

function inPages(examples: readonly Example[]): (complaint: string) => string {
  return (complaint) => {
    const found = examples.find(({ source }) => complaint.includes(`/${source}(`))
    if (found === undefined) return complaint
    return complaint.replace(/^\S*?\.ts\((\d+),(\d+)\)/, `${found.page}:$1:$2`)
  }
}

function environment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NO_COLOR: '1', ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

function run(argv: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(...plainCommand(process.execPath, argv), {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIME_LIMIT_MS,
      killSignal: 'SIGKILL'
    })
    const text = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text.stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code, ...text })
    })
  })
}
