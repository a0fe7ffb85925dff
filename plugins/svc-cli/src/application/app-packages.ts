/**
 * Packages as the application sees them. The kernel above all: its registries
 * belong to one copy, and the application's plugins use theirs.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../errors.ts'

type KernelMain = typeof import('svc-kernel')
type KernelPlugin = typeof import('svc-kernel/plugin')
/** Both entries of the kernel. */
export type Kernel = KernelMain & KernelPlugin
export type Host = typeof import('svc-host')

/** @throws CommandError SVC_NOT_INSTALLED when the application cannot see the package */
export async function importKernel(root: string): Promise<Kernel> {
  const main = (await importFrom(root, 'svc-kernel')) as KernelMain
  return { ...main, ...((await importFrom(root, 'svc-kernel', 'svc-kernel/plugin')) as KernelPlugin) }
}

/** @throws CommandError SVC_NOT_INSTALLED when the application cannot see the package */
export async function importHost(root: string): Promise<Host> {
  return (await importFrom(root, 'svc-host')) as Host
}

/** Where a package's file lies for this application, or `null`. */
export function resolveFrom(root: string, specifier: string): string | null {
  try {
    return createRequire(join(root, 'package.json')).resolve(specifier)
  } catch {
    return null
  }
}

/**
 * @param specifier what of the package is imported; all of it unless given
 * @throws CommandError SVC_NOT_INSTALLED when the application cannot see the package
 */
export async function importFrom(root: string, name: string, specifier = name): Promise<unknown> {
  const path = resolveFrom(root, specifier)
  if (path === null) throw new CommandError(notInstalled(root, name))
  return import(pathToFileURL(path).href)
}

export function notInstalled(root: string, name: string) {
  return {
    code: 'SVC_NOT_INSTALLED',
    message: `${name} is ${declares(root, name) ? 'listed in package.json, but not installed' : 'not installed'}`,
    at: join(root, 'package.json'),
    fix: declares(root, name)
      ? 'npm install'
      : `npm install ${name === 'svc-kernel' || name === 'svc-host' ? name : `--save-dev ${name}`}`
  }
}

function declares(root: string, name: string): boolean {
  const { dependencies = {}, devDependencies = {} } = readPackage(root)
  return name in dependencies || name in devDependencies
}

export interface PackageFile {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  [key: string]: unknown
}

/** The package.json of a folder; empty when there is none that can be read. */
export function readPackage(folder: string): PackageFile {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile
  } catch {
    return {}
  }
}

/**
 * The TypeScript compiler of an application, in its own version: the absolute path of the `tsc` script, or `null` when TypeScript is not installed.
 */
export function compilerOf(root: string): string | null {
  const path = resolveFrom(root, 'typescript/package.json')
  if (path === null) return null
  const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin: { tsc: string } }
  return join(dirname(path), bin.tsc)
}

/** Whether the application lists svc-client. */
export function hasClient(root: string): boolean {
  const { dependencies = {}, devDependencies = {} } = readPackage(root)
  return 'svc-client' in dependencies || 'svc-client' in devDependencies
}
