// Reads documents with js-yaml or yaml and says what they are: read.js READER CASES.
//
// Input and output are described in ../src/readers/notation.rs.
'use strict'

const fs = require('fs')

const quoted = text => {
  let out = '"'
  // A half of a surrogate pair comes alone here, and shows.
  for (const c of text) out += /^[0-9A-Za-z]$/.test(c) ? c : `%${c.codePointAt(0).toString(16)};`
  return out
}

const view = new DataView(new ArrayBuffer(8))

const number = value => {
  if (Number.isNaN(value)) return 'nan'
  view.setFloat64(0, value)
  return 'f' + view.getBigUint64(0).toString(16).padStart(16, '0')
}

const mapping = entries =>
  '{' + entries.map(([key, value]) => shown(key) + ':' + shown(value)).sort().join(',') + '}'

const shown = value => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') return 'i' + value
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return '[' + value.map(shown).join(',') + ']'
  if (value instanceof Map) return mapping([...value])
  if (value && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    return mapping(Object.entries(value))
  }
  return '?' + typeof value + quoted(String(value))
}

const jsYaml = (name, options) => {
  const yaml = require(name)
  const version = require(require.resolve(name + '/package.json')).version
  return {
    version: 'js-yaml ' + version,
    load: text => (yaml.safeLoad && version < '4' ? yaml.safeLoad : yaml.load)(text, options(yaml)),
    loadAll: text =>
      version < '4'
        ? yaml.safeLoadAll(text, null, options(yaml))
        : version < '5'
          ? yaml.loadAll(text, null, options(yaml))
          : yaml.loadAll(text, options(yaml)),
  }
}

const npmYaml = (options, jsOptions) => {
  const yaml = require('yaml')
  return {
    version: 'yaml ' + require('yaml/package.json').version,
    load: text => yaml.parse(text, { ...options, ...jsOptions }),
    loadAll: text =>
      yaml.parseAllDocuments(text, options).map(document => {
        for (const error of document.errors) throw error
        return document.toJS(jsOptions)
      }),
  }
}

const readers = {
  'js-yaml-5': () => jsYaml('js-yaml', () => ({})),
  'js-yaml-5-1.1': () =>
    jsYaml('js-yaml', yaml => ({ schema: yaml.YAML11_SCHEMA.withTags(yaml.realMapTag) })),
  'js-yaml-4': () => jsYaml('js-yaml-4', () => ({})),
  'js-yaml-3': () => jsYaml('js-yaml-3', () => ({})),
  'yaml-1.2': () => npmYaml({}, {}),
  'yaml-1.1': () => npmYaml({ version: '1.1' }, {}),
  'yaml-1.2-exact': () => npmYaml({ intAsBigInt: true }, { mapAsMap: true }),
  'yaml-1.1-exact': () => npmYaml({ version: '1.1', intAsBigInt: true }, { mapAsMap: true }),
}

const read = (reader, count, text) => {
  try {
    return (count > 1 ? reader.loadAll(text) : [reader.load(text)]).map(shown).join(';')
  } catch (error) {
    return 'error ' + JSON.stringify(String(error.message))
  }
}

process.removeAllListeners('warning')
const reader = readers[process.argv[2]]()
const cases = fs.readFileSync(process.argv[3])
const lines = [reader.version]
for (let at = 0; at < cases.length; ) {
  const end = cases.indexOf(10, at)
  const [count, length] = cases.toString('latin1', at, end).split(' ').map(Number)
  at = end + 1 + length
  lines.push(read(reader, count, cases.toString('utf8', end + 1, at)))
}
process.stdout.write(lines.join('\n') + '\n')
