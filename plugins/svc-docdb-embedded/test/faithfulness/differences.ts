/** Operations, by their names, that the embedded engine answers otherwise than the engine the vectors were taken from, and why. */

export const DIFFERENCES: readonly (readonly [operations: RegExp, reason: string])[] = [
  [/^matching \{ filter: \{ 'v\.0': 1 \}/, 'an array at a position is entered'],
  [/^matching .*'\$size': -1/, 'the code is 9, as MongoDB has it'],
  [/^matching .*'\$expr'/, 'not available, refused with 238'],
  [/^ordering .* v: -?1, _id: 1/, 'an empty array sorts before null, as MongoDB documents it'],
  [/^ordering .*'v\.0': 1/, 'an empty array sorts before null, and an array at a position is entered'],
  [/^projection .*(a: 0, z: 1|'a\.b': 1|\$slice': 'x'|'list\.\$')/, 'the codes are those of MongoDB'],
  [/^updating .*new Double\(-0\)/, 'a zero with another sign is another value, as MongoDB compares bytes'],
  [/^updating .*'\$(rename|pop)': \{ a: ('a'|1) \}/, 'the codes are those of MongoDB'],
  [/^updating .*'\$pull': \{ a: \/\^a\/ \}/, 'a regular expression pulls the strings it matches, as in MongoDB'],
  [/^updating .*'\$setOnInsert': \{ i: 2 \}/, 'new fields come in the order of their names, as MongoDB documents it'],
  [/^updating .*'\$in': \[ 2 \]/, 'an $in of one value gives an upsert no field'],
  [/^aggregation .*'\$count': 'n'/, 'nothing counted is no document, as MongoDB documents it'],
  [/^aggregation .*'\$(group|unwind)'/, 'stages that compute give whole numbers as int32']
]
