import { COMMON_SETTINGS, isSetting, type OptionGroup, SERVICE_SETTINGS, STORE_SETTINGS } from './option-settings.ts';

/** The names of settings, as messages about them have them. */
const SETTING_NAME = /\b[A-Z]+(?:_[A-Z]+)+\b/gu;

const BACKEND_SETTINGS = { store: STORE_SETTINGS, service: SERVICE_SETTINGS };

export type BackendKind = keyof typeof BACKEND_SETTINGS;

/** Puts the names of options in the place of the settings that they stand for, in a text for those who wrote them. */
export type NameOptions = (text: string) => string;

export function createOptionNaming(kind: BackendKind): NameOptions {
  const paths = new Map([...pathsOf(COMMON_SETTINGS, ''), ...pathsOf(BACKEND_SETTINGS[kind], 'backend.')]);
  return (text) => text.replace(SETTING_NAME, (name) => paths.get(name) ?? name);
}

/** The paths of options by their settings. The prefix is the path of the group, with its dot. */
function pathsOf(group: OptionGroup, prefix: string): readonly (readonly [setting: string, path: string])[] {
  return Object.entries(group).flatMap(([name, entry]) =>
    isSetting(entry) ? [[entry.setting, `${prefix}${name}`]] : pathsOf(entry, `${prefix}${name}.`),
  );
}
