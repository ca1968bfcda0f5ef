import type { Command, Option } from 'commander'
import type { Io } from '../process/io.ts'
import type { Config } from './config.ts'
import { type GivenFlags, loadConfig } from './load-config.ts'
import { type SettingName, settingNamed, settingNames } from './setting.ts'

/**
 * Lets the environment and the configuration file say what a command line leaves out: before a command
 * runs, its options that are settings too get their values. So a command reads its options, and need
 * not know where they come from.
 */
export function configure(program: Command, io: Io): void {
  program
    .option(
      '--config <file>',
      'configuration file (default: TUSK_CONFIG, else tusk.config.json or .mjs upward)',
    )
    .hook('preAction', async (_, action) => {
      const options = lineage(action).flatMap((command) =>
        command.options.map((option) => ({ command, option })),
      )
      if (!options.some(({ option }) => settingOf(option) !== undefined)) return
      const config = await configOf(action, io)
      for (const { command, option } of options) fill(command, option, config)
      // It has no option, and all that is embedded asks the environment for it.
      const directory = config.get('embedded.directory')
      if (directory !== undefined) io.env['TUSK_HOME'] = directory
    })
}

/** The configuration as a command sees it, its flags included. */
export function configOf(command: Command, io: Io): Promise<Config> {
  const config = loaded.get(command) ?? loadConfig(givenFlags(command), io)
  loaded.set(command, config)
  return config
}

const loaded = new WeakMap<Command, Promise<Config>>()

function fill(command: Command, option: Option, config: Config): void {
  const setting = settingOf(option)
  const attribute = option.attributeName()
  if (setting === undefined || command.getOptionValueSource(attribute) === 'cli') return
  const value = config.said(setting)
  if (value !== undefined) command.setOptionValueWithSource(attribute, value, 'config')
}

function givenFlags(command: Command): GivenFlags {
  const given = lineage(command).flatMap((each) =>
    each.options
      .filter((option) => each.getOptionValueSource(option.attributeName()) === 'cli')
      .map((option) => ({
        option,
        isGlobal: each.parent === null,
        value: each.getOptionValue(option.attributeName()) as unknown,
      })),
  )
  const file = given.find(({ option, isGlobal }) => isGlobal && option.long === '--config')
  const values = given.flatMap(({ option, value }): [SettingName, unknown][] => {
    const setting = settingOf(option)
    return setting === undefined ? [] : [[setting, value]]
  })
  return { config: file && String(file.value), values: new Map(values) }
}

/** `--no-roles` says the same setting as `--roles`. */
function settingOf(option: Option): SettingName | undefined {
  const long = option.long?.replace(/^--no-/, '--')
  return long === undefined
    ? undefined
    : settingNames.find((name) => settingNamed(name).flag === long)
}

function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [...lineage(command.parent), command]
}
