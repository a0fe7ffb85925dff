/** Modules that the build makes. */
declare module 'virtual:error-fixes' {
  const fixes: Readonly<Record<string, string>>
  export default fixes
}
