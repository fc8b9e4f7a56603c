package nn

import "strings"

// sourceFiles maps classes to their files in torch/nn/modules: the first entry
// whose part occurs in the name.
var sourceFiles = []struct{ part, file string }{
	{"Loss", "loss"}, {"Upsampl", "upsampling"}, {"Identity", "linear"}, {"Linear", "linear"}, {"Bilinear", "linear"}, {"Flatten", "flatten"}, {"Unflatten", "flatten"},
	{"Embedding", "sparse"}, {"RNN", "rnn"}, {"LSTM", "rnn"}, {"GRU", "rnn"},
	{"BatchNorm", "batchnorm"}, {"InstanceNorm", "instancenorm"}, {"Norm", "normalization"}, {"Dropout", "dropout"},
	{"Conv", "conv"}, {"Pool", "pooling"}, {"Unpool", "pooling"}, {"Pad", "padding"}, {"Pixel", "pixelshuffle"},
	{"ChannelShuffle", "channelshuffle"}, {"Fold", "fold"}, {"Unfold", "fold"},
	{"CosineSimilarity", "distance"}, {"PairwiseDistance", "distance"}, {"", "activation"},
}

// containers are the classes that contain other modules.
var containers = map[string]bool{"Sequential": true, "ModuleList": true, "ModuleDict": true, "ParameterList": true, "ParameterDict": true}

// PythonType returns the name of the module's type as torch.typename does.
// Custom classes count as defined in the main program.
func (m *Module) PythonType() string {
	name := m.Class()
	switch {
	case containers[name]:
		return "torch.nn.modules.container." + name
	case name == "Module":
		return "torch.nn.modules.module.Module"
	case classes[name] == nil:
		return "__main__." + name
	}
	for _, s := range sourceFiles {
		if strings.Contains(name, s.part) {
			return "torch.nn.modules." + s.file + "." + name
		}
	}
	return name
}
