/**
 * Packages that only some applications need, such as the client of a database server. They are optional peers: loaded
 * where they are used, and named with the line that installs them where they are missing.
 */
import { createRequire } from 'node:module'
import { BootError } from './boot-error.ts'

/**
 * Loads a CommonJS package as the calling module would, without making the caller asynchronous.
 *
 * @param name as it is installed: `pg`
 * @param importer `import.meta.url` of the caller
 * @param use what the application has asked for, and where: the path of an option, or a class
 * @throws BootError SVC_NOT_INSTALLED where the package is missing; what the package itself throws, as it is
 */
export function optionalPackage<T>(
  name: string,
  importer: string,
  use: { readonly what: string; readonly at: string }
): T {
  const require = createRequire(importer)
  try {
    require.resolve(name)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw cause
    const problem = {
      code: 'SVC_NOT_INSTALLED',
      message: `${use.what} needs the package ${name}, which is not installed`,
      at: use.at,
      got: 'no such package',
      expected: `${name} among the dependencies of the application`,
      fix: `npm install ${name}`,
      more: 'npx svc docs startup-problems'
    }
    throw new BootError([problem], { cause })
  }
  return require(name) as T
}
