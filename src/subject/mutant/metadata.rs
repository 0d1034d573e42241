//! Faults of the metadata and of the capabilities in it.

use super::{Exchange, Mutant};
use crate::codec::document::Value;
use crate::codec::envelope::Envelope;
use crate::codec::meta::{self, BodyVersion, Capabilities, CapabilityState, Metadata};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "metadata.bare-keys-count",
        wrong: "The bare name of the version key is read as the key.",
        fault: "meta-reserved-key-spelling-exact",
        killer: "meta.key-grammar",
        exchange: Exchange::Stages(&Stages { metadata: bare_keys_count, ..STAGES }),
    },
    Mutant {
        id: "metadata.keys-without-case",
        wrong: "The version key is matched in any letter case.",
        fault: "FF-090",
        killer: "meta.key-grammar",
        exchange: Exchange::Stages(&Stages { metadata: keys_without_case, ..STAGES }),
    },
    Mutant {
        id: "metadata.wrong-version-is-absent",
        wrong: "A version that is no string counts as absent.",
        fault: "meta-protocol-version-is-string",
        killer: "request.malformed-metadata-is-invalid",
        exchange: Exchange::Stages(&Stages { metadata: wrong_version_is_absent, ..STAGES }),
    },
    Mutant {
        id: "metadata.wrong-params-are-absent",
        wrong: "Params that are no object count as absent.",
        fault: "FF-023",
        killer: "request.malformed-metadata-is-invalid",
        exchange: Exchange::Stages(&Stages { metadata: wrong_params_are_absent, ..STAGES }),
    },
    Mutant {
        id: "capabilities.true-is-object",
        wrong: "A capability may be anything that is true.",
        fault: "FF-097",
        killer: "meta.capabilities-by-types",
        exchange: Exchange::Stages(&Stages { capabilities: true_is_object, ..STAGES }),
    },
    Mutant {
        id: "capabilities.absent-is-empty",
        wrong: "A missing key counts as no capabilities.",
        fault: "meta-client-capabilities-required",
        killer: "request.capabilities-required",
        exchange: Exchange::Stages(&Stages { capabilities: absent_is_empty, ..STAGES }),
    },
    Mutant {
        id: "capabilities.closed-set",
        wrong: "A capability that is not known makes the set unreadable.",
        fault: "capabilities-open-set",
        killer: "request.modern-is-valid",
        exchange: Exchange::Stages(&Stages { capabilities: closed_set, ..STAGES }),
    },
    Mutant {
        id: "capabilities.extension-by-name",
        wrong: "An extension is understood whatever its value is.",
        fault: "extension-settings-object",
        killer: "meta.extensions-by-object",
        exchange: Exchange::Stages(&Stages { capabilities: extension_by_name, ..STAGES }),
    },
    Mutant {
        id: "capabilities.core-only-by-default",
        wrong: "What stands beyond the core is overlooked.",
        fault: "result-type-set-from-core-and-extensions",
        killer: "meta.capabilities-by-types",
        exchange: Exchange::Stages(&Stages { capabilities: core_only_by_default, ..STAGES }),
    },
];

fn with_version<'a>(metadata: Metadata<'a>, found: Option<Value<'a>>) -> Metadata<'a> {
    let named = found.and_then(|value| value.as_text().map(|text| BodyVersion::Text(value, text)));
    match (metadata.version, named) {
        (BodyVersion::Absent, Some(version)) => Metadata { version, ..metadata },
        _ => metadata,
    }
}

fn bare_keys_count<'a>(envelope: &Envelope<'a>) -> Metadata<'a> {
    let metadata = meta::observe(envelope);
    with_version(metadata, metadata.meta.and_then(|meta| meta.get("protocolVersion")))
}

fn keys_without_case<'a>(envelope: &Envelope<'a>) -> Metadata<'a> {
    let metadata = meta::observe(envelope);
    let alike = |name: &str| name.eq_ignore_ascii_case(meta::PROTOCOL_VERSION);
    let found = metadata.meta.and_then(|meta| meta.members().find(|(name, _)| alike(&name.decode())));
    with_version(metadata, found.map(|(_, value)| value))
}

fn wrong_version_is_absent<'a>(envelope: &Envelope<'a>) -> Metadata<'a> {
    let metadata = meta::observe(envelope);
    match metadata.version {
        BodyVersion::NoString(_) => Metadata { version: BodyVersion::Absent, ..metadata },
        _ => metadata,
    }
}

fn wrong_params_are_absent<'a>(envelope: &Envelope<'a>) -> Metadata<'a> {
    let metadata = meta::observe(envelope);
    match metadata.version {
        BodyVersion::NoObject(_) => Metadata::default(),
        _ => metadata,
    }
}

fn true_is_object(metadata: &Metadata<'_>) -> Capabilities {
    let observed = meta::capabilities(metadata);
    match (observed.state, metadata.capabilities) {
        (CapabilityState::Malformed, Some(_)) => Capabilities::of(CapabilityState::CoreOnly),
        _ => observed,
    }
}

fn absent_is_empty(metadata: &Metadata<'_>) -> Capabilities {
    let observed = meta::capabilities(metadata);
    match observed.state {
        CapabilityState::Absent => Capabilities::of(CapabilityState::CoreOnly),
        _ => observed,
    }
}

fn closed_set(metadata: &Metadata<'_>) -> Capabilities {
    let observed = meta::capabilities(metadata);
    match observed.advertised.other_member {
        true => Capabilities::of(CapabilityState::Malformed),
        false => observed,
    }
}

fn extension_by_name(metadata: &Metadata<'_>) -> Capabilities {
    let mut observed = meta::capabilities(metadata);
    observed.advertised.tasks |= observed.advertised.tasks_without_object;
    observed
}

fn core_only_by_default(metadata: &Metadata<'_>) -> Capabilities {
    let observed = meta::capabilities(metadata);
    match observed.state {
        CapabilityState::ExtensionNotUnderstood => Capabilities::of(CapabilityState::CoreOnly),
        _ => observed,
    }
}
