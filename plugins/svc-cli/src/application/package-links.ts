/**
 * How a new application names the svc packages: by version once they are
 * published; as links when this command runs from a checkout, where they are not.
 */
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @param dependencies as the template declares them
 * @param target absolute folder of the application
 * @returns the same, with `file:` paths in a checkout
 */
export function linkPackages(dependencies: Readonly<Record<string, string>>, target: string): Record<string, string> {
  if (!runsFromCheckout()) return { ...dependencies }
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => {
      return [name, name.startsWith('svc-') ? `file:${relative(target, folderOf(name)).split(sep).join('/')}` : range]
    })
  )
}

/** How packages are added to an application: from a checkout by their folders, as they are not published. */
export function installCommand(root: string, packages: readonly string[]): string {
  const ranges = linkPackages(Object.fromEntries(packages.map((name) => [name, ''])), root)
  return `npm install ${packages.map((name) => ranges[name]?.replace(/^file:/, '') || name).join(' ')}`
}

/** Published packages lie in a node_modules folder; those of a checkout are links out of it. */
export function runsFromCheckout(): boolean {
  return !fileURLToPath(import.meta.url)
    .split(sep)
    .includes('node_modules')
}

/** A folder at the root of a checkout that the published package carries; the READMEs of the packages lie beside them. */
export function shippedFolder(name: 'app-template' | 'docs'): string {
  return fileURLToPath(new URL(`${runsFromCheckout() ? '../../../../..' : '../../shipped'}/${name}`, import.meta.url))
}

/** In a checkout the packages are neighbours. */
function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
}
