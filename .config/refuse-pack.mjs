/** What npm runs before it packs a package where it is developed: published is what is staged, so this is refused. */
process.stderr.write(
  'prepack: a package is packed from where it is staged, with its bundles\n' +
    '  fix: npm run release -- stage, then: npm pack ./plugins/<name>/dist/package\n'
)
process.exitCode = 1
